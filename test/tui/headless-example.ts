import type { RunResult } from '../../messages/result.js';

export const exampleResult: RunResult = {
  type: 'result',
  schema_version: 1,
  status: 'done',
  exit_code: 0,
  is_error: false,
  reason: 'finished',
  session_id: 'aaaaaaaa-0000-4000-8000-000000000000',
  rounds: 4,
  duration_ms: 37_000,
  usage: { prompt_tokens: 1_200, completion_tokens: 300, cached_tokens: 100 },
  cost_usd: null,
  text: 'All tidy.',
  structured_output: null,
  files_changed: ['a.ts'],
  verify: [],
  denials: [{ tool: 'shell', summary: 'rm x', rule: 'default' }],
  holds: [],
  artifacts: null,
  retryable: false,
  resume_command: 'ouro resume aaaaaaaa',
};
