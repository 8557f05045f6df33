/** What the dashboard needs of a session, made of a connection to its control socket. */
import type { ActionRequest } from '../../messages/actions.js';
import type { ControlArgs } from '../../messages/control.js';
import type { DashboardLink } from '../../tui/dashboard.js';
import type { ControlClient } from './client.js';
import { argsOfChange } from './set-args.js';

/** Subscribes at once; the link owns the client from here on. */
export function createDashboardLink(client: ControlClient): DashboardLink {
  const { snapshots, deltas, ended } = client.events(['snapshot', 'delta', 'lagged', 'bye']);
  return {
    snapshots,
    deltas,
    ended,
    act: async (action) => {
      const reply = await client.request(argsOf(action));
      if (!reply.ok) return { ok: false, message: reply.error.message };
      const { data } = reply;
      return data !== null && 'ok' in data ? data : { ok: true, changed: true, message: 'done' };
    },
    close: () => client.close(),
  };
}

function argsOf(action: ActionRequest): ControlArgs {
  switch (action.do) {
    case 'pause':
      return { do: 'pause', args: { now: action.now, until: action.until } };
    case 'send':
      return { do: 'send', args: { text: action.text, mode: action.mode } };
    case 'answer': {
      const { do: verb, ...args } = action;
      return { do: verb, args };
    }
    case 'approve':
      return { do: 'approve', args: { question: action.question, scope: action.scope } };
    case 'deny':
      return { do: 'deny', args: { question: action.question, reason: action.reason } };
    case 'set':
      return { do: 'set', args: argsOfChange(action.change) };
    case 'resume':
    case 'interrupt':
    case 'stop':
      return { do: action.do };
  }
}
