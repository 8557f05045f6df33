// The least that a loop of model requests and file reads can do: fetch, JSON, one file read, line numbers.
// No journal, no checks, nobody watching. Plain JavaScript in a process of its own, so that what is measured
// is Node and nothing else. Arguments: base URL, folder, and a file with the first request to send.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const [, , baseUrl, folder, firstRequest] = process.argv;
const request = JSON.parse(await readFile(firstRequest, 'utf8'));

const numbered = (text) =>
  text
    .split('\n')
    .map((line, i) => `L${i + 1}: ${line}`)
    .join('\n');

async function ask() {
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request),
  });
  let text = '';
  const decoder = new TextDecoder();
  for await (const part of response.body) text += decoder.decode(part, { stream: true });
  const events = text
    .split('\n\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice('data: '.length)));
  return events.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? []);
}

for (let calls = await ask(); calls.length > 0; calls = await ask()) {
  const tool_calls = calls.map(({ id, type, function: called }) => ({
    id,
    type,
    function: called,
  }));
  request.messages.push({ role: 'assistant', content: null, tool_calls });
  for (const call of calls) {
    const { path } = JSON.parse(call.function.arguments);
    const content = numbered(await readFile(join(folder, path), 'utf8'));
    request.messages.push({ role: 'tool', tool_call_id: call.id, content });
  }
}
