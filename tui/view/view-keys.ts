/** Who gets a key: the question that is open, the line being typed, or the key table. */
import { bindingOf, MESSAGE_KEYS } from './key-table.js';
import { EMPTY_LINE, edit, insert, textOf } from './line-editor.js';
import type { Input } from '../terminal/key-input.js';
import { isDeaf, onModalKey } from './question-view.js';
import { perform } from './view-commands.js';
import { withNotice, type Step, type ViewState } from './view-model.js';
import { search } from './view-scroll.js';

type Key = Extract<Input, { type: 'key' }>;

/** A slow line may deliver the two halves of Alt+Enter this far apart. */
const SPLIT_KEY_MS = 300;
/** What was typed when the session ended was not meant for closing the dashboard. */
const END_GRACE_MS = 300;

const only = (state: ViewState): Step => [state, []];
const has = (keys: readonly string[], name: string): boolean => keys.includes(name);

function confirm(state: ViewState, name: string): Step {
  const closed = { ...state, confirmingStop: false };
  if (name === 'y' || name === 'Y') return [closed, [{ type: 'act', action: { do: 'stop' } }]];
  return has(['n', 'N', 'escape', 'C-c'], name) ? only(closed) : only(state);
}

function say(state: ViewState, mode: 'steer' | 'queue'): Step {
  const text = textOf(state.draft).trim();
  const closed: ViewState = { ...state, typing: null, draft: EMPTY_LINE };
  return text === ''
    ? only(closed)
    : [closed, [{ type: 'act', action: { do: 'send', text, mode } }]];
}

function typeMessage(state: ViewState, { name, text }: Key): Step {
  if (has(MESSAGE_KEYS.send.keys, name)) return say(state, 'steer');
  if (has(MESSAGE_KEYS.queue.keys, name)) return say(state, 'queue');
  if (name === 'escape') return only({ ...state, typing: null, escapedAt: state.now });
  if (name === 'C-c' && state.draft.chars.length > 0) return only({ ...state, draft: EMPTY_LINE });
  if (name === 'C-c') return perform(state, 'interrupt');
  if (name === 'C-z') return perform(state, 'suspend');
  return only({ ...state, draft: edit(state.draft, name, text) });
}

function typeSearch(state: ViewState, { name, text }: Key): Step {
  const closed: ViewState = { ...state, typing: null };
  if (has(['escape', 'C-c'], name)) return only(closed);
  if (name !== 'enter') return only({ ...state, searchDraft: edit(state.searchDraft, name, text) });
  const query = textOf(state.searchDraft);
  return only(query === '' ? closed : search({ ...closed, search: null }, query, null));
}

/** Any key closes, except those that only look around. */
function afterEnd(state: ViewState, name: string): Step {
  const binding = bindingOf(name);
  const looksAround = binding?.looksOnly === true || (name === 'escape' && anythingOpen(state));
  if (binding !== undefined && looksAround) return perform(state, binding.command);
  const tooSoon = state.now - (state.end?.at ?? 0) < END_GRACE_MS;
  return tooSoon ? only(state) : perform(state, 'leave');
}

const anythingOpen = ({ helpOpen, zoomed, search: found }: ViewState): boolean =>
  helpOpen || zoomed || found !== null;

export function onKey(state: ViewState, key: Key): Step {
  if (state.confirmingStop) return confirm(state, key.name);
  if (state.modal !== null) {
    return key.name === 'C-c'
      ? perform({ ...state, modal: null }, 'interrupt')
      : onModalKey(state, state.modal, key);
  }
  if (state.typing === 'message') return typeMessage(state, key);
  if (state.typing === 'search') return typeSearch(state, key);
  if (state.end?.kind === 'bye') return afterEnd(state, key.name);
  if (key.name === 'enter' && state.now - state.escapedAt < SPLIT_KEY_MS)
    return say(state, 'queue');
  const binding = bindingOf(key.name);
  return binding === undefined ? only(state) : perform(state, binding.command);
}

export function onPaste(state: ViewState, text: string): Step {
  const { modal } = state;
  if (state.confirmingStop) return only(state);
  if (modal !== null) {
    if (isDeaf(state, modal)) return only(state);
    const draft = modal.draft === null ? null : insert(modal.draft, text.replace(/\n/g, ' '));
    return only({ ...state, modal: { ...modal, draft } });
  }
  switch (state.typing) {
    case 'message':
      return only({ ...state, draft: insert(state.draft, text) });
    case 'search':
      return only({ ...state, searchDraft: insert(state.searchDraft, text.replace(/\n/g, ' ')) });
    case null:
      return only(
        withNotice(state, 'Pasted text was ignored: press i first, then paste.', 'warning'),
      );
  }
}
