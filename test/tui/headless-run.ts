/** A program for tests: reports facts without end to stdout and stderr, until its result. */
import type { AgentId, SessionId } from '../../messages/ids.js';
import { createHeadless } from '../../tui/headless.js';
import { exampleResult } from './headless-example.js';

const FACTS = 3_000;

const headless = await createHeadless({
  session: exampleResult.session_id as SessionId,
  out: process.stdout,
  err: process.stderr,
  outputFormat: 'stream-json',
  logFormat: process.argv[2] === 'json' ? 'json' : 'pretty',
  level: 'normal',
  colour: false,
  now: Date.now,
});
for (let round = 1; round <= FACTS; round += 1) {
  headless.onFact({
    type: 'agent.heard',
    agent: 'main' as AgentId,
    round,
    text: 'x'.repeat(100),
    origin: 'steer',
    at: Date.now(),
  });
  // Lets the error of a closed pipe arrive.
  if (round % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
}
await headless.onResult(exampleResult);
headless.close();
process.exit(7);
