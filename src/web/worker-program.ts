/** Where the extraction worker's program is: beside this file, built or not. */

export function workerProgram(): URL {
  if (import.meta.url.endsWith('.js')) return new URL('./extract-worker.js', import.meta.url);
  // Run from its source: a worker does not inherit what made TypeScript run here.
  const source = JSON.stringify(new URL('./extract-worker.ts', import.meta.url).href);
  const loader = JSON.stringify(import.meta.resolve('tsx/esm/api'));
  return new URL(
    `data:text/javascript,import { register } from ${loader}; register(); await import(${source});`,
  );
}
