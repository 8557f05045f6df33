/** Whether a dashboard would be readable here. */
import { ok, warn, type Finding } from './finding.js';

export interface TerminalFacts {
  readonly isTerminal: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly columns: number;
  readonly rows: number;
  /** Bits for a colour; 1: none. */
  readonly colourBits: number;
}

/** The smallest size at which the panels make sense. */
const LEAST = { columns: 40, rows: 12 } as const;

export function checkTerminal(facts: TerminalFacts): readonly Finding[] {
  const { isTerminal, env, columns, rows, colourBits } = facts;
  if (!isTerminal) return [ok('terminal', 'stdout is no terminal: sessions here run headless')];
  const term = env['TERM'] ?? '';
  const colours = colourBits <= 1 ? 'no colours' : `${2 ** colourBits} colours`;
  const about = `${term === '' ? 'no TERM' : term}, ${columns}x${rows}, ${colours}`;
  const findings: Finding[] = [];
  if (term === '' || term === 'dumb') {
    findings.push(
      warn(
        'terminal',
        `${about}: the terminal cannot place text`,
        'set TERM to what your terminal is, such as xterm-256color, or use ouro attach --plain',
      ),
    );
  }
  if (columns < LEAST.columns || rows < LEAST.rows) {
    const least = `${LEAST.columns}x${LEAST.rows}`;
    findings.push(warn('terminal', `${about}: too small`, `make the window at least ${least}`));
  }
  if (!isUtf8(env)) {
    const advice = 'set a UTF-8 locale, such as LANG=C.UTF-8';
    findings.push(warn('terminal', `${about}: the locale is not UTF-8`, advice));
  }
  return findings.length > 0 ? findings : [ok('terminal', `${about}, UTF-8`)];
}

/** The first that is set decides, as in the C library. */
function isUtf8(env: TerminalFacts['env']): boolean {
  const set = ['LC_ALL', 'LC_CTYPE', 'LANG'].map((name) => env[name] ?? '');
  return /utf-?8/i.test(set.find((value) => value !== '') ?? '');
}
