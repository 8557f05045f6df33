/** Who may speak to a session. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RawClient, serve, temporaryFolder } from '../../control/control-fixture.js';
import type { Area, Row } from '../table.js';

/** Asks for a pause with a line of its own. */
const asking = (tried: string, change: (line: string, token: string) => string): Row => ({
  tried,
  attack: async () => {
    const fixture = await serve();
    const client = await RawClient.open(fixture);
    client.socket.write(change(client.line({ do: 'pause' }), client.token));
    const answer = await client.next();
    return answer?.['ok'] !== true && fixture.asked.length === 0;
  },
  counterpart: 'its owner with the token',
  allowed: async () => {
    const fixture = await serve();
    const client = await RawClient.open(fixture);
    client.send({ do: 'pause' });
    return (await client.next())?.['ok'] === true && fixture.asked.length === 1;
  },
});

const DIAL =
  'require("net").connect(process.argv[1]).on("connect",()=>process.exit(0)).on("error",()=>process.exit(9))';

const dialAs = (path: string, uid: number | null): number | null =>
  spawnSync(process.execPath, ['-e', DIAL, path], { ...(uid === null ? {} : { uid, gid: uid }) })
    .status;

/** Only root can pretend to be another user. */
const otherUser: Row = {
  tried: 'another user',
  attack: async () => {
    const { socketPath, folder } = await serve();
    const isClosed = (statSync(socketPath).mode & 0o777) === 0o600;
    const isPrivate = (statSync(folder).mode & 0o077) === 0;
    return isClosed && isPrivate && (process.getuid?.() !== 0 || dialAs(socketPath, 65_534) !== 0);
  },
  counterpart: 'the same user',
  allowed: async () => dialAs((await serve()).socketPath, null) === 0,
};

const planted = (tried: string, plant: (path: string) => void): Row => ({
  tried,
  attack: async () => {
    const path = join(await temporaryFolder(), 's.sock');
    plant(path);
    return serve({ socketPath: path }).then(
      () => false,
      () => true,
    );
  },
  counterpart: 'a folder of its own',
  allowed: async () => (await serve()).socketPath !== '',
});

export const controlSocket: Area = {
  area: 'control socket',
  inBoth: false,
  rows: [
    asking('no token', (line, token) => line.replace(`"${token}"`, 'null')),
    asking('an empty token', (line, token) => line.replace(token, '')),
    asking('half of the token', (line, token) => line.replace(token, token.slice(1))),
    asking('a token of the same length', (line, token) =>
      line.replace(token, 'x'.repeat(token.length)),
    ),
    asking('a token as a list', (line, token) => line.replace(`"${token}"`, `["${token}"]`)),
    otherUser,
    planted('a file where the socket should be', (path) => writeFileSync(path, '')),
    planted('a folder open to all', (path) => chmodSync(join(path, '..'), 0o777)),
    planted('a link in its place', (path) => {
      mkdirSync(`${path}.real`);
      symlinkSync(`${path}.real`, path);
    }),
  ],
};
