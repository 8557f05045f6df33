/**
 * The guides of tools: Markdown that the operator may change, add to or take away, one file for each tool that
 * has one. A guide says what a tool's description, which is sent with every request, has no room for.
 */
import { existsSync } from 'node:fs';
import { promptFile, promptTemplate } from './prompts.js';

/** Names of other programs' tools may be anything; a file is named by letters, digits and `_-` only. */
const FILE_NAME = /^[\w-]+$/;

/** Null: the tool has none. */
export function toolGuide(tool: string): string | null {
  if (!FILE_NAME.test(tool)) return null;
  const name = `tool/${tool}` as const;
  return existsSync(promptFile(name)) ? promptTemplate(name) || null : null;
}
