/** Where the program of the ledger's thread is: beside this file, built or not. */
export function ledgerProgram(): URL {
  if (import.meta.url.endsWith('.js')) return new URL('./ledger-worker.js', import.meta.url);
  // Run from its source: a worker does not inherit what made TypeScript run here.
  const source = JSON.stringify(new URL('./ledger-worker.ts', import.meta.url).href);
  const loader = JSON.stringify(import.meta.resolve('tsx/esm/api'));
  return new URL(
    `data:text/javascript,import { register } from ${loader}; register(); await import(${source});`,
  );
}
