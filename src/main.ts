/**
 * The program's entry. Answers `--version` before anything else is loaded; every other word is read by the
 * command line. Exits explicitly: what has been printed is flushed, and an idle connection must not hold it.
 */
import { VERSION } from './version.js';

const [, , first] = process.argv;

if (first === '--version' || first === '-V') {
  process.stdout.write(`ouro ${VERSION}\n`);
} else if (first === '__daemon') {
  const { daemonEntry } = await import('./cli/daemon-entry.js');
  process.exit(await daemonEntry());
} else if (first === '__revive') {
  const { revive } = await import('./cli/revive.js');
  process.exit(await revive(process.argv.slice(3)));
} else {
  const { runProgram } = await import('./cli/program.js');
  process.exit(await runProgram(process.argv.slice(2)));
}
