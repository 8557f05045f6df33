/** The program's version, as package.json has it. */
import { readFileSync } from 'node:fs';
import { packageRoot } from '../config/package-root.js';
import { join } from 'node:path';

const manifest: unknown = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8'));

export const VERSION =
  typeof manifest === 'object' && manifest !== null && 'version' in manifest
    ? String(manifest.version)
    : 'unknown';
