/** The verbs that talk to sessions. */
import type { Command } from 'commander';
import type { Surroundings } from './program.js';

export function addSessionVerbs(_program: Command, _surroundings: Surroundings): void {
  return;
}
