/** Model servers that run on this machine on the ports that they usually have, and how to use them. */
import { ok, type Finding } from './finding.js';

export interface UsualServer {
  /** What the section in the configuration is to be called. */
  readonly name: string;
  readonly title: string;
  readonly port: number;
  /** Behind the root, in the configuration. */
  readonly path: string;
}

export const USUAL_SERVERS: readonly UsualServer[] = [
  { name: 'ollama', title: 'Ollama', port: 11434, path: '' },
  { name: 'llama', title: 'llama-server', port: 8080, path: '/v1' },
  { name: 'lmstudio', title: 'LM Studio', port: 1234, path: '/v1' },
  { name: 'vllm', title: 'vLLM', port: 8000, path: '/v1' },
];

export interface FoundServer extends UsualServer {
  readonly baseUrl: string;
  readonly models: readonly string[];
}

/** Nothing on this machine needs longer to say what it has. */
const LIMIT_MS = 1_500;

/** Names of models shown. */
const SHOWN = 5;

/** Whatever else listens on such a port has no list of models, and is left out. */
export async function findServers(usual: readonly UsualServer[]): Promise<readonly FoundServer[]> {
  const found = await Promise.all(usual.map(lookAt));
  return found.filter((server) => server !== null);
}

async function lookAt(server: UsualServer): Promise<FoundServer | null> {
  const root = `http://127.0.0.1:${server.port}`;
  try {
    // All four serve this list, Ollama beside its own.
    const response = await fetch(`${root}/v1/models`, {
      signal: AbortSignal.timeout(LIMIT_MS),
      redirect: 'error',
    });
    const models = namesIn(await response.json());
    return models === null ? null : { ...server, baseUrl: root + server.path, models };
  } catch {
    return null;
  }
}

/** Null: it is no list of models. */
function namesIn(answer: unknown): readonly string[] | null {
  const list = (answer as { data?: unknown } | null)?.data;
  if (!Array.isArray(list)) return null;
  const ids = list.map((entry: unknown) => (entry as { id?: unknown } | null)?.id);
  return ids.every((id) => typeof id === 'string') ? ids : null;
}

export const foundFindings = (servers: readonly FoundServer[]): readonly Finding[] =>
  servers.map((server) => {
    const { title, baseUrl, models } = server;
    const names = models.length === 0 ? 'no model' : models.slice(0, SHOWN).join(', ');
    const what = `${title} or the like at ${baseUrl} with ${names}`;
    return { ...ok('local', what), todo: configLines(server) };
  });

/** To be put into the configuration as they are. */
const configLines = ({ name, baseUrl, models }: FoundServer): string =>
  [
    'to use it, in config.toml:',
    '[model]',
    `endpoint = "${name}"`,
    `name = ${JSON.stringify(models[0] ?? 'MODEL')}`,
    `[endpoints.${name}]`,
    `base_url = "${baseUrl}"`,
  ].join('\n');
