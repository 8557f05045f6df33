import { expect, test } from 'vitest';
import { AGENT_INBOX, COORDINATOR_INBOX, type Letter } from '../../messages/coordinator.js';
import { OVERLOADED } from '../../actors/tool-executor.js';
import { MAX_QUEUED } from '../../actors/tool-schedule.js';
import { fold } from '../../actors/recovery.js';
import { MeshRun } from '../support/mesh-run.js';
import { expectSound } from '../support/recovery-rules.js';
import { ofType } from '../support/recorder.js';
import { calls, says } from '../support/scripted-model.js';
import { callId, callOf, holdOf, MAIN, okOutcome, START, SUB } from '../support/session-samples.js';
import { eventually, settled, stateOf } from '../support/settled.js';
import { untilAborted } from '../support/simulated-tools.js';

const types = (run: MeshRun): string[] => run.facts.items.map(({ type }) => type);

test('a cycle goes through all of the mesh: request, call, result, answer', async () => {
  const run = new MeshRun({
    main: [calls(['list_dir', { path: '.' }]), says('There are 3 files.')],
    tools: { list_dir: { run: () => okOutcome('a b c') } },
  }).start();
  expect(await run.end()).toEqual({ status: 'done', text: 'There are 3 files.', denied: [] });
  expect(run.conversation.messages.slice(2)).toMatchObject([
    { role: 'assistant', calls: [{ id: 'main_1_1', name: 'list_dir' }] },
    { role: 'tool', text: 'a b c' },
    { role: 'assistant', text: 'There are 3 files.' },
  ]);
  const happened = types(run).filter((type) => type !== 'agent.status');
  expect(happened).toEqual([
    'model.used',
    'agent.said',
    'tool.started',
    'tool.finished',
    'model.used',
    'agent.said',
    'agent.ended',
  ]);
  expect(run.mesh.snapshots.current).toMatchObject({
    state: 'running',
    calls: [],
    result: 'There are 3 files.',
    totals: { rounds: 2, toolCalls: 1, promptTokens: 20, completionTokens: 10 },
    inbox: { deadLetters: 0, capacity: COORDINATOR_INBOX },
  });
  expect(run.crashes).toEqual([]);
});

test('a call that runs stands in the snapshot until it is over', async () => {
  const run = new MeshRun({
    main: [calls(['shell']), says('done')],
    tools: { shell: { effect: 'execute', run: untilAborted } },
  }).start();
  await run.facts.find(({ type }) => type === 'tool.started');
  expect(run.mesh.snapshots.current.calls).toEqual([
    { callId: 'main_1_1', agent: MAIN, name: 'shell', summary: 'shell', startedAt: START },
  ]);
  run.mesh.deliver({ to: 'tools', message: { type: 'tool.cancelAll', agent: null } });
  await run.end();
  expect(run.mesh.snapshots.current.calls).toEqual([]);
});

test('a task goes to a sub-agent, and its answer comes back as the result of the call', async () => {
  const run = new MeshRun({
    main: [calls(['delegate', { task: 'find the tests' }]), says('done')],
    sub: [calls(['grep']), says('They are in test/.')],
  }).start();
  await run.end();
  const spent = '(rounds: 2, tokens: 30)';
  expect(run.conversation.messages[3]).toMatchObject({
    role: 'tool',
    name: 'delegate',
    text: `[Sub-agent 'sub-1' completed] ${spent}\nThey are in test/.`,
  });
  expect(run.subModel.requests.items[0]?.messages).toMatchObject([
    { role: 'system' },
    { role: 'user', text: 'find the tests', origin: 'parent' },
  ]);
  expect(run.mesh.snapshots.current.agents).toMatchObject([
    { id: MAIN, end: 'done' },
    { id: SUB, parent: MAIN, task: 'find the tests', end: 'done' },
  ]);
  expect(run.waiting.size).toBe(0);
});

test('sub-agents of one answer work side by side, each for its own call', async () => {
  const run = new MeshRun({
    main: [calls(['delegate', { task: 'a' }], ['delegate', { task: 'b' }]), says('done')],
    sub: [says('seen'), says('seen')],
  }).start();
  await run.end();
  const results = run.conversation.messages.filter(({ role }) => role === 'tool');
  expect(results.map(({ text }) => text.includes('sub-1'))).toEqual([true, false]);
  expect(results.map(({ text }) => text.includes('sub-2'))).toEqual([false, true]);
});

test('beyond the limit of sub-agents a call is refused, and the turn goes on', async () => {
  const six = Array.from({ length: 6 }, () => ['delegate', { task: 'a' }] as const);
  const run = new MeshRun({ main: [calls(...six), says('done')] }).start();
  expect(await run.end()).toMatchObject({ status: 'done' });
  const refused = run.conversation.messages.filter(({ text }) => text.includes('at work already'));
  expect(refused).toHaveLength(1);
  expect(run.waiting.size).toBe(0);
});

test('wherever the journal of a session with sub-agents ends, it can go on', async () => {
  const run = new MeshRun({
    main: [
      calls(['delegate', { task: 'a' }], ['write_file', { path: 'x' }]),
      calls(['shell']),
      says('done'),
    ],
    sub: [calls(['grep'], ['grep']), says('seen')],
    tools: { write_file: { effect: 'write' }, shell: { effect: 'execute' }, grep: {} },
  }).start();
  await run.end();
  await run.journal.committed();
  const { rows } = run.journal;
  for (let length = 0; length <= rows.length; length += 1) expectSound(rows.slice(0, length));
  expect(
    fold(rows)
      .agents.get(SUB)
      ?.conversation.messages.map(({ role }) => role),
  ).toEqual(['system', 'user', 'assistant', 'tool', 'tool', 'assistant']);
});

test('the journal adds up to what the snapshot shows', async () => {
  const run = new MeshRun({
    main: [calls(['delegate'], ['shell']), says('done')],
    sub: [calls(['grep']), says('seen')],
    tools: { shell: { run: () => ({ status: 'denied', rule: 'default', text: 'no' }) } },
  }).start();
  await run.end();
  await run.mesh.close();
  await run.journal.committed();
  const { totals, spawned } = fold(run.journal.rows);
  // A journal that does not begin with its specification knows no price.
  expect({ ...totals, costUsd: 0 }).toEqual(run.mesh.snapshots.current.totals);
  expect(spawned).toBe(1);
});

test('a letter to nobody, or to a full inbox, is counted', async () => {
  const run = new MeshRun({ initial: { holds: [holdOf()] } }).start();
  run.mesh.deliver({ to: 'agent', agent: SUB, message: { type: 'agent.abortRequest' } });
  await eventually(() => run.mesh.snapshots.current.inbox.deadLetters === 1);
  for (let n = 0; n < AGENT_INBOX + 3; n += 1) run.mesh.deliver(words(n));
  await eventually(() => run.mesh.snapshots.current.inbox.deadLetters === 4);
});

const words = (source: number): Letter => ({
  to: 'agent',
  agent: MAIN,
  message: { type: 'agent.say', text: `${source}`, mode: 'queue', source },
});

test('more calls than can wait are refused as overloaded, and the turn goes on', async () => {
  const many = Array.from({ length: MAX_QUEUED + 2 }, () => ['slow'] as const);
  const run = new MeshRun({
    main: [calls(...many), says('done')],
    tools: { slow: { locks: ['one'] } },
  }).start();
  expect(await run.end()).toMatchObject({ status: 'done' });
  const results = run.conversation.messages.filter(({ role }) => role === 'tool');
  expect(results).toHaveLength(many.length);
  await run.journal.committed();
  const overloaded = results.filter(({ text }) => text.includes('too many tool calls'));
  const written = run.journal
    .ofKind('tool.outcome')
    .filter(({ body }) => body.outcome.status === 'overloaded');
  expect(overloaded.length).toBeGreaterThan(0);
  expect(written).toHaveLength(overloaded.length);
  expect(fold(run.journal.rows).main.conversation.messages).toEqual(
    run.conversation.messages.slice(2),
  );
});

test('a call whose letter finds no room is answered', async () => {
  const run = new MeshRun({ main: [calls(['real']), says('done')] });
  let others = 0;
  const deliverOther = (): void => {
    const call = callOf(`other ${(others += 1)}`, 'other');
    run.mesh.deliver({ to: 'tools', message: { type: 'tool.run', agent: SUB, round: 1, call } });
  };
  // The executor reads on; what it reads is replaced until the call's own letter has come.
  const refill = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve().then(deliverOther);
  };
  run.mesh.facts.on((fact) => {
    if (fact.type !== 'agent.status' || fact.phase !== 'acting') return;
    for (let n = 0; n < COORDINATOR_INBOX; n += 1) deliverOther();
    void refill();
  });
  run.start();
  expect(await run.end()).toMatchObject({ status: 'done' });
  expect(run.tools.began.some(({ name }) => name === 'real')).toBe(false);
  expect(run.conversation.messages[3]).toMatchObject({ role: 'tool', text: OVERLOADED.text });
});

test('a task whose letter finds no room is answered, like every call that somebody waits for', async () => {
  const run = new MeshRun({ sub: [] });
  const task = { kind: 'explore', task: 'look', context: '' } as const;
  const ids = Array.from({ length: AGENT_INBOX + 1 }, (_, n) => callId(`call ${n}`));
  const answers = ids.map((id) => run.waiting.ask(id));
  for (const id of ids) {
    const message = { type: 'subagent.spawn', parent: MAIN, callId: id, task } as const;
    run.mesh.deliver({ to: 'supervisor', message });
  }
  await eventually(() => run.mesh.snapshots.current.inbox.deadLetters === 1);
  const last = answers.at(-1) ?? Promise.reject(new Error('there is one'));
  await settled();
  expect(await stateOf(last)).toMatchObject({ status: 'overloaded' });
});

test('streamed text reaches whoever watches, and a watcher that never reads delays nobody', async () => {
  const run = new MeshRun({ main: [calls(['one']), says('Three.')] });
  const lazy = run.mesh.deltas.subscribe(1);
  const texts: string[] = [];
  run.mesh.deltas.on(({ text }) => void texts.push(text));
  run.start();
  await run.end();
  expect(texts).toEqual(['Three.']);
  run.mesh.deltas.unsubscribe(lazy);
});

test('a request to end reaches the root once, from the control lane', async () => {
  const run = new MeshRun();
  for (let n = 0; n < COORDINATOR_INBOX + 10; n += 1)
    void run.mesh.tell({ type: 'letter.dead', to: 'test', what: `${n}` });
  void run.mesh.tell({ type: 'quit', reason: 'terminated', at: START });
  await run.root.find(({ type }) => type === 'root.quit');
  expect(run.mesh.snapshots.current.inbox.deadLetters).toBeLessThan(COORDINATOR_INBOX);
  await eventually(() => run.mesh.snapshots.current.inbox.deadLetters === COORDINATOR_INBOX + 10);
});

test('an error in a port is reported, not swallowed', async () => {
  const run = new MeshRun({
    main: [calls(['bad'])],
    tools: { bad: { run: () => Promise.reject(new Error('a bug')) } },
  }).start();
  await eventually(() => run.crashes.length > 0);
  expect(run.crashes).toMatchObject([{ message: 'a bug' }]);
});

test('a closed mesh hears nothing more, and everything that was accepted was handled', async () => {
  const run = new MeshRun({ main: [says('done')] }).start();
  await run.end();
  const told = Array.from({ length: 300 }, (_, n) =>
    run.mesh.tell({ type: 'letter.dead', to: 'test', what: `${n}` }),
  );
  await run.mesh.close();
  const accepted = (await Promise.all(told)).filter(Boolean).length;
  expect(run.mesh.snapshots.current.inbox.deadLetters).toBe(accepted);
  expect(await run.mesh.tell({ type: 'letter.dead', to: 'test', what: 'late' })).toBe(false);
  run.mesh.deliver({ to: 'tools', message: { type: 'tool.cancel', callId: callOf('x').id } });
  await settled(2);
});

test('facts keep their order on their way to the watchers', async () => {
  const run = new MeshRun({ main: [calls(['one'], ['two']), says('done')] }).start();
  await run.end();
  const told = ofType(run.facts.items, 'agent.status').map(({ phase }) => phase);
  expect(told).toEqual([
    'preparing',
    'asking',
    'acting',
    'recording',
    'preparing',
    'asking',
    'recording',
    'preparing',
  ]);
});

test('a question whether it still works is answered, and changes nothing; a closed one says no', async () => {
  const run = new MeshRun({ main: [says('done')] });
  const { version } = run.mesh.snapshots.current;
  expect(await run.mesh.pulse()).toBe(true);
  expect(run.mesh.snapshots.current.version).toBe(version);
  await run.mesh.close();
  expect(await run.mesh.pulse()).toBe(false);
});

test('a sub-agent that is born while the session ends is told to end too, and waited for', async () => {
  const run = new MeshRun({ main: [calls(['shell'])], sub: [says('too late')] });
  const { agents } = run.mesh;
  const stopped = agents.stopAll('it is over');
  agents.carryOut({
    do: 'create',
    agent: SUB,
    task: { kind: 'worker', task: 'late', context: '' },
  });
  await stopped;
  await settled();
  expect(run.subModel.requests.items).toEqual([]);
  await agents.close();
});
