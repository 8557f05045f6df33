/**
 * The logger of a headless run, in the daemon's own process. Promises: stdout carries the result and
 * nothing else (with `stream-json`: lines that end in the result); stderr says at least once a minute what
 * is being waited for; a reader that goes away never stops the agent.
 */
import type { Writable } from 'node:stream';
import type { ObservedFact } from '../messages/coordinator.js';
import { MAIN_AGENT, shortId, type Millis, type SessionId } from '../messages/ids.js';
import type { RunResult } from '../messages/result.js';
import type { Snapshot } from '../messages/snapshot.js';
import { FactReader, type Level, type LogEvent } from './fact-events.js';
import { oneLine } from './event-line.js';
import { LineSink } from './line-sink.js';
import { createEventLog, type LogFormat } from './event-log.js';
import { resultLine, resultText } from './result-text.js';
import { createStream, initLine, type StreamStart } from './stream-json.js';
import { jsonLine } from './text/json.js';
import { stripControls } from './text/sanitise.js';
import { waitingFor } from './waiting.js';
import { limitsText } from './budget-text.js';

export type OutputFormat = 'text' | 'json' | 'stream-json';
export type LogLevel = 'silent' | 'quiet' | 'warnings' | 'normal' | 'verbose';

export interface HeadlessOptions {
  readonly session: SessionId;
  /** stdout. */
  readonly out: Writable;
  /** stderr. */
  readonly err: Writable;
  readonly outputFormat: OutputFormat;
  readonly logFormat: LogFormat;
  readonly level: LogLevel;
  readonly colour: boolean;
  readonly now: () => Millis;
}

export interface Headless {
  onStart(start: StreamStart): void;
  /** Something people should know before the first request. */
  onNotice(text: string): void;
  onFact(fact: ObservedFact): void;
  onSnapshot(snapshot: Snapshot): void;
  /** Resolves when the result has left the process, or nobody reads any more. Nothing is printed after it. */
  onResult(result: RunResult): Promise<void>;
  /** Ends the timer; prints nothing. */
  close(): void;
}

/** Leaves room below the minute for a timer that fires late. */
const SILENCE_MS = 50_000;

const LOWEST: Readonly<Record<LogLevel, Level | null>> = {
  silent: null,
  quiet: 'error',
  warnings: 'warn',
  normal: 'info',
  verbose: 'debug',
};

/** Levels at which nobody wants to read how it went, unless it went wrong. */
const SHORT: readonly LogLevel[] = ['silent', 'quiet', 'warnings'];

function startText({ spec, goal, version, sandbox, noSandbox }: StreamStart): string {
  const why = noSandbox ? ` (${noSandbox})` : '';
  const server =
    spec.rehearsal === null ? `at ${spec.baseUrl}` : `scripted by ${spec.rehearsal}, no real model`;
  return oneLine(
    `ouro ${version}, session ${shortId(spec.id)} in ${spec.workspace}, model ${spec.model} ${server}, ` +
      `permission mode ${spec.permissions.mode}, sandbox ${sandbox}${why}, ${limitsText(spec)}; goal: ${goal}`,
  );
}

const startEvent = (start: StreamStart): LogEvent => ({
  at: start.at,
  agent: MAIN_AGENT,
  level: 'info',
  event: 'session.started',
  mark: 'notice',
  text: startText(start),
  fields: {
    workspace: start.spec.workspace,
    model: start.spec.model,
    base_url: start.spec.baseUrl,
    permission_mode: start.spec.permissions.mode,
    sandbox: start.sandbox,
    ...(start.noSandbox ? { sandbox_reason: start.noSandbox } : {}),
    scripted: start.spec.rehearsal !== null,
    version: start.version,
  },
});

const endEvent = (result: RunResult, at: Millis): LogEvent => ({
  at,
  agent: MAIN_AGENT,
  level: result.is_error ? 'error' : 'info',
  event: 'session.ended',
  mark: result.is_error ? 'error' : 'notice',
  text: resultLine(result),
  fields: {
    status: result.status,
    exit_code: result.exit_code,
    rounds: result.rounds,
    ms: result.duration_ms,
    resume_command: result.resume_command,
  },
});

/** What stands on stdout at the end. A file gets the exact text; only a terminal needs protection from it. */
function resultOutput(result: RunResult, { out, outputFormat }: HeadlessOptions): string {
  if (outputFormat !== 'text') return `${jsonLine(result)}\n`;
  const terminal = 'isTTY' in out && out.isTTY === true;
  const text = terminal ? stripControls(result.text) : result.text;
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

export async function createHeadless(options: HeadlessOptions): Promise<Headless> {
  const { session, outputFormat, now } = options;
  const out = new LineSink(options.out);
  const err = new LineSink(options.err);
  const log = await createEventLog({ ...options, sink: err, lowest: LOWEST[options.level] });
  const reader = new FactReader();
  const stream = createStream(session);
  /** Several lines on how to go on, instead of one that says the same in short. */
  const forPeople = options.logFormat === 'pretty' && !SHORT.includes(options.level);
  let latest: Snapshot | null = null;
  let finished = false;

  const silence = setTimeout(() => {
    const text = latest === null ? 'starting' : waitingFor(latest, now(), reader.heard).join('; ');
    report({
      at: now(),
      agent: MAIN_AGENT,
      level: 'info',
      event: 'waiting',
      mark: 'notice',
      text,
      fields: {},
    });
    silence.refresh();
  }, SILENCE_MS);
  silence.unref();

  const report = (event: LogEvent): void => {
    if (log(event) && !finished) silence.refresh();
  };
  const print = (line: object): void => {
    if (outputFormat === 'stream-json' && !finished) out.write(`${jsonLine(line)}\n`);
  };

  return {
    onStart(start) {
      print(initLine(start));
      report(startEvent(start));
    },
    onNotice(text) {
      const at = now();
      const about = { at, agent: MAIN_AGENT, event: 'notice', mark: 'notice' } as const;
      report({ ...about, level: 'warn', text: oneLine(text), fields: {} });
    },
    onFact(fact) {
      if (finished) return;
      for (const line of stream(fact)) print(line);
      for (const event of reader.events(fact)) report(event);
    },
    onSnapshot(snapshot) {
      latest = snapshot;
    },
    async onResult(result) {
      if (finished) return;
      finished = true;
      clearTimeout(silence);
      if (forPeople) err.write(`${resultText(result, options)}\n`);
      else log(endEvent(result, now()));
      out.write(resultOutput(result, options));
      await Promise.all([out.flushed(), err.flushed()]);
    },
    close() {
      finished = true;
      clearTimeout(silence);
    },
  };
}
