/** Shows a made-up session on the real terminal; run by the test that looks at it through tmux. */
import { appendFileSync } from 'node:fs';
import type { AgentId } from '../../messages/ids.js';
import { runDashboard } from '../../tui/dashboard.js';
import { agent, call, entries, entry, hold, MAIN, snapshot } from './example-session.js';
import { FakeLink } from './fake-link.js';

const [, , mode = 'attach', record = '/dev/null'] = process.argv;
const link = new FakeLink();
link.answer = (action) => {
  appendFileSync(record, `${JSON.stringify(action)}\n`);
  return Promise.resolve({ ok: true, changed: true, message: `${action.do}: done` });
};
appendFileSync(record, `${process.pid}\n`);
process.on('SIGUSR2', () => {
  throw new Error('a defect somewhere else');
});
const now = Date.now();
link.show(
  snapshot({
    agents: [
      agent(),
      agent({ id: 'sub-1', parent: MAIN, phase: 'acting', task: 'read the sources' }),
    ],
    calls: [call('npm test', { startedAt: now - 5_000, agent: 'sub-1' as AgentId })],
    holds: [hold({ kind: 'rate-limit', scope: 'sub-1' as AgentId, until: now + 90_000 })],
    discoveries: [{ title: 'A finding', description: 'with words and 漢字' }],
    log: [
      ...entries(40),
      entry(41, 'wide: 漢字テスト and {bold}braces{/bold} \x1b[31mred\x1b]0;evil\x07 🎉 end'),
      entry(42, 'read_file src/main.ts', { kind: 'tool' }),
      entry(43, Array.from({ length: 30 }, (_, i) => `result line ${i + 1}`).join('\n'), {
        kind: 'result',
        status: 'failed',
      }),
    ],
  }),
);
link.stream({
  type: 'agent.delta',
  agent: MAIN,
  round: 3,
  kind: 'text',
  text: 'being written now',
});
const end = await runDashboard({
  link,
  mode: mode === 'run' ? 'run' : 'attach',
  input: process.stdin,
  output: process.stdout,
  term: process.env['TERM'] ?? '',
  colour: process.env['NO_COLOR'] === undefined,
  now: () => Date.now(),
});
process.stdout.write(`left: ${JSON.stringify(end)}\n`);
