/** The context of an agent as lines for people. */
import type { ContextPicture } from '../session-compactions.js';
import type { SegmentNote } from '../../messages/context.js';
import { shortId } from '../../messages/ids.js';
import { clock, count, plural } from '../../tui/text/amounts.js';
import { fitWidth, sanitiseLine, stripControls } from '../../tui/text/sanitise.js';
import type { StandingSession } from './liveness.js';

export interface ShownContext extends ContextPicture {
  /** Tokens of the whole window. */
  readonly window: number;
  /** What messages may take of it; null: only the session itself knows, and it does not run. */
  readonly room: number | null;
  readonly live: boolean;
  readonly memory: { readonly path: string; readonly exists: boolean };
}

const LABEL_CELLS = 11;

const labelled = (label: string, text: string): string => `${fitWidth(label, LABEL_CELLS)}${text}`;

export function contextLines({ id, name }: StandingSession, shown: ShownContext): string[] {
  const { agent, round, live, messages, zones, window, room } = shown;
  const used = zones.pinned + zones.summary + zones.middle + zones.recent;
  const of = room ?? window;
  const from = live ? 'running' : 'not running';
  const { masked, next, compactions, summary, memory } = shown;
  const freed = next.reduce((sum, { tokens }) => sum + tokens, 0);
  return [
    labelled('session', `${shortId(id)}  ${sanitiseLine(name)} (${from})`),
    labelled('agent', `${sanitiseLine(agent)}, round ${round}, ${plural(messages, 'message')}`),
    labelled(
      'window',
      `${count(window)} tokens${room === null ? '' : `, room for messages ${count(room)}`}`,
    ),
    labelled('used', `about ${count(used)} tokens, ${Math.round((used / of) * 100)} %`),
    ...Object.entries(zones).map(([zone, tokens]) => labelled(`  ${zone}`, count(tokens))),
    labelled('masked', masked.length === 0 ? 'nothing' : plural(masked.length, 'result')),
    ...masked.map(({ text }) => `  ${sanitiseLine(text)}`),
    labelled(
      'next',
      next.length === 0
        ? 'nothing can be masked yet'
        : `${plural(next.length, 'result')} can be masked, which frees about ${count(freed)} tokens`,
    ),
    ...next.map(({ id: call, tokens }) => `  ${sanitiseLine(call)}  ${count(tokens)}`),
    labelled('compacted', compactions.length === 0 ? 'never' : plural(compactions.length, 'time')),
    ...compactions.map(compactionLine),
    ...(summary === null
      ? []
      : [labelled('summary', ''), ...pieceLines(compactions), stripControls(summary)]),
    labelled('notes', `${sanitiseLine(memory.path)}${memory.exists ? '' : ' (not there)'}`),
  ];
}

const CAUSE_TEXT: Readonly<Record<SegmentNote['begins'], string>> = {
  start: 'from the first message on',
  turn: 'since a person spoke',
  files: 'since the files changed',
  size: 'cut for its length',
};

/** Of what the newest summary was made; nothing where an older program made it. */
function pieceLines(compactions: ContextPicture['compactions']): string[] {
  const newest = compactions.findLast(({ step, undone }) => step === 'summary' && !undone);
  return (newest?.segments ?? []).map(({ begins, messages, files }) =>
    `  ${plural(messages, 'message')}, ${CAUSE_TEXT[begins]}  ${sanitiseLine(files.join(', '))}`.trimEnd(),
  );
}

const STEP_TEXT: Readonly<Record<ContextPicture['compactions'][number]['step'], string>> = {
  mask: 'results masked',
  summary: 'messages summarised',
  restart: 'begun anew',
};

const compactionLine = ({ row, at, round, step, undone }: ContextPicture['compactions'][number]) =>
  `  row ${row}  ${clock(at)}  round ${round}  ${STEP_TEXT[step]}${undone ? ', taken back' : ''}`;
