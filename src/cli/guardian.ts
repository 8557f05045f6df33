/**
 * The guardian of a session in the background: a shell of about a megabyte that waits for the daemon it has
 * started. An end that the session has chosen ends it too; after any other it becomes the process that
 * starts the session again. It leads a group of its own and keeps no terminal.
 */
import { programFile } from '../../config/package-root.js';
import type { SessionId } from '../../messages/ids.js';
import { EXIT_CODES } from '../../messages/session.js';
import { guardianFile } from '../store/guardian-record.js';

/** The machine, or whoever manages it, ends everything: a service brings such a session back. */
const FROM_OUTSIDE: readonly number[] = [EXIT_CODES.hangup, EXIT_CODES.terminated];

/** An internal error is a crash that had time to say so. */
const ENDS = Object.values(EXIT_CODES).filter(
  (code) => code !== EXIT_CODES.internal_error && !FROM_OUTSIDE.includes(code),
);

/**
 * The daemon's channel is closed here at once: only the daemon may keep it. Where the record does not name
 * this process, the session was never ready, or is not meant to go on: its exit code is all there is to say.
 */
const SCRIPT = `record=$1 home=$2 id=$3 node=$4 main=$5
shift 5
mine() {
  line=
  [ -f "$record" ] && read -r line <"$record"
  case $line in *'"pid":'$$,*) return 0 ;; esac
  return 1
}
"$node" "$@" "$main" __daemon &
exec 3>&-
unset NODE_CHANNEL_FD NODE_CHANNEL_SERIALIZATION_MODE
wait $!
code=$?
mine || exit $code
case $code in
${FROM_OUTSIDE.join('|')}) exit $code ;;
${ENDS.join('|')}) rm -f "$record"; exit $code ;;
esac
exec "$node" "$main" __revive "$home" "$id" "$code"`;

export interface GuardedCommand {
  readonly file: string;
  readonly args: readonly string[];
}

/** `flags`: for the daemon's own node. */
export function guardedDaemon(
  home: string,
  id: SessionId,
  flags: readonly string[],
): GuardedCommand {
  const main = programFile();
  const record = guardianFile(home, id);
  const about = [record, home, id, process.execPath, main];
  return { file: '/bin/sh', args: ['-c', SCRIPT, 'ouro-guardian', ...about, ...flags] };
}
