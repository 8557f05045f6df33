import { expect, test } from 'vitest';
import { RunningCheckpoint } from '../../actors/checkpoint/running.js';
import { FORM, type WrittenAgent } from '../../actors/checkpoint/written-state.js';
import { factOf, sessionFact, type JournalFact } from '../../messages/journal.js';
import { fork } from '../../src/cli/fork.js';
import { replay } from '../../src/cli/replay.js';
import { openJournalReader } from '../../src/store/journal-store.js';
import { sessionDir } from '../../src/store/layout.js';
import type { SessionId } from '../../messages/ids.js';
import { aRound, shell, write } from '../replay/whole-rounds.js';
import { MAIN } from '../support/session-samples.js';
import { cleared, jsonOf, newDesk, startSession, type Desk } from './fake-session.js';

const ONE = 'aaaa1111-0000-4000-8000-000000000001';

const NO_GOAL = { ok: true, goal: null, notice: null } as const;

type Checkpoint = Extract<JournalFact, { kind: 'checkpoint' }>;

/** Three rounds with a checkpoint after each; `change` may make another one of the second. */
async function deskWith(change = (made: Checkpoint): Checkpoint => made): Promise<Desk> {
  const desk = newDesk();
  const session = await startSession(desk, ONE, { goal: 'do it' });
  const { journal } = session;
  const running = new RunningCheckpoint(journal);
  await journal.append([
    sessionFact('message.added', { message: { role: 'system', text: 'You are ouro.' } }),
  ]);
  for (const round of [1, 2, 3]) {
    await journal.append(aRound({ round }, write(`${round}.txt`), shell('ls')));
    const made = running.next();
    if (made?.kind !== 'checkpoint') throw new Error('there is nothing to say');
    await journal.append([round === 2 ? change(made) : made]);
  }
  await session.end({ text: 'It is done.' });
  return desk;
}

/** As somebody would write it whose state depends on more than the rows. */
function astray(made: Checkpoint): Checkpoint {
  const main = made.body.parts['agents.main'] as WrittenAgent;
  const parts = { ...made.body.parts, 'agents.main': { ...main, round: 9 } };
  return factOf('checkpoint', MAIN, made.round, { ...made.body, parts }) as Checkpoint;
}

test('replay says how many checkpoints agree with the rows before them', async () => {
  const desk = await deskWith();
  expect(await replay({}, desk)).toBe(0);
  expect(desk.out.text).toContain('3 checkpoints agree with the journal');
  const json = cleared(desk);
  expect(await replay({ json: true }, json)).toBe(0);
  expect(jsonOf(json)).toMatchObject({
    ok: true,
    checkpoints: { agree: 3, unchecked: 0, differs: null },
  });
});

test('only the checkpoints on the way to a round are looked at', async () => {
  const desk = await deskWith();
  expect(await replay({ at: '1' }, desk)).toBe(0);
  expect(desk.out.text).toContain('1 checkpoint agrees with the journal');
  const before = cleared(desk);
  expect(await replay({ at: '0' }, before)).toBe(0);
  expect(before.out.text).not.toContain('checkpoint');
});

test('a checkpoint that says something else is an error that names it, its round and the part', async () => {
  const desk = await deskWith(astray);
  expect(await replay({}, desk)).toBe(1);
  expect(desk.err.text).toMatch(/row \d+, of round 2, .*: agents\.main\.round is another/);
  // What the rows say is shown all the same.
  expect(desk.out.text).toContain('after round 3 of main');
  const json = cleared(desk);
  expect(await replay({ json: true }, json)).toBe(1);
  expect(jsonOf(json)).toMatchObject({
    ...{ ok: false, error: { code: 'not_possible' }, round: 3 },
    checkpoints: { agree: 2, differs: { round: 2, path: 'agents.main.round' } },
  });
  // It was right until then.
  expect(await replay({ at: '1' }, cleared(desk))).toBe(0);
});

test('those of another form are counted, and are no error', async () => {
  const other = ({ round, body }: Checkpoint): Checkpoint =>
    factOf('checkpoint', MAIN, round, { ...body, form: FORM + 1 }) as Checkpoint;
  const desk = await deskWith(other);
  expect(await replay({}, desk)).toBe(0);
  expect(desk.out.text).toContain(
    '1 checkpoint agrees with the journal, 2 of another form not checked',
  );
});

test('a branch has no checkpoints of its origin: its rows have other numbers', async () => {
  const desk = await deskWith();
  const branch = cleared(desk);
  expect(await fork({ id: 'aaaa', at: '2', json: true, goal: NO_GOAL }, branch)).toBe(0);
  const { session } = jsonOf(branch) as { session: SessionId };
  const view = openJournalReader({ dir: sessionDir(desk.home, session), session });
  expect(view.newest('checkpoint', Infinity)).toBeNull();
  view.close();
});
