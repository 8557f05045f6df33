/**
 * What was found out about model servers, in the shared index: one entry for each model at each address, the
 * newest. When it is lost, nothing is known until somebody looks again.
 */
import type { EndpointFacts } from '../../messages/endpoint-facts.js';
import type { Database } from './database.js';

export interface EndpointTable {
  /** Null: nothing was found out yet. */
  get(baseUrl: string, model: string): EndpointFacts | null;
  set(baseUrl: string, model: string, facts: EndpointFacts): void;
}

export const ENDPOINT_TABLE = `CREATE TABLE endpoints (
    baseUrl TEXT NOT NULL,
    model TEXT NOT NULL,
    facts TEXT NOT NULL,
    PRIMARY KEY (baseUrl, model)
  ) STRICT`;

export const endpointTable = (db: Database): EndpointTable => ({
  get(baseUrl, model) {
    const sql = 'SELECT facts FROM endpoints WHERE baseUrl = ? AND model = ?';
    const row = db.prepare<[string, string], { facts: string }>(sql).get(baseUrl, model);
    return row === undefined ? null : (JSON.parse(row.facts) as EndpointFacts);
  },
  set(baseUrl, model, facts) {
    const sql = 'INSERT OR REPLACE INTO endpoints (baseUrl, model, facts) VALUES (?, ?, ?)';
    db.prepare(sql).run(baseUrl, model, JSON.stringify(facts));
  },
});
