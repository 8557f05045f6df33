/** Writes log events to stderr, one line each: for people, or as JSON through pino for programs. */
import type { SessionId } from '../messages/ids.js';
import type { Level, LogEvent } from './fact-events.js';
import { eventLine } from './event-line.js';
import type { LineSink } from './line-sink.js';
import { inertJson } from './text/json.js';

export type LogFormat = 'pretty' | 'json';

export interface EventLogOptions {
  readonly session: SessionId;
  readonly sink: LineSink;
  readonly logFormat: LogFormat;
  /** Null: nothing is written. */
  readonly lowest: Level | null;
  readonly colour: boolean;
}

/** False: the event is below the level, and nothing was written. */
export type EventLog = (event: LogEvent) => boolean;

const RANK: Readonly<Record<Level, number>> = { debug: 0, info: 1, warn: 2, error: 3 };

/** pino is loaded only where JSON is asked for; it writes at once, so that a crash loses no line. */
async function jsonWriter({ session, sink }: EventLogOptions): Promise<(event: LogEvent) => void> {
  const { pino } = await import('pino');
  const logger = pino(
    {
      level: 'debug',
      base: { session },
      // Written by us, from the event's own time.
      timestamp: false,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write: (line: string) => sink.write(inertJson(line)) },
  );
  return ({ at, level, agent, event, fields, text }) =>
    logger[level]({ ts: new Date(at).toISOString(), agent, event, ...fields }, text);
}

export async function createEventLog(options: EventLogOptions): Promise<EventLog> {
  const { sink, colour, lowest } = options;
  const write =
    options.logFormat === 'json'
      ? await jsonWriter(options)
      : (event: LogEvent) => sink.write(`${eventLine(event, { colour })}\n`);
  return (event) => {
    if (lowest === null || RANK[event.level] < RANK[lowest]) return false;
    write(event);
    return true;
  };
}
