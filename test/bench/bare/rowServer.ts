/**
 * The floor of `inserts.ts`: a server that inserts rows into SQLite in memory and returns them. It sends its port to
 * its parent, and exits with it.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { json } from 'node:stream/consumers';

const db = new DatabaseSync(':memory:');
db.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, email, age, city)');
const insert = db.prepare('INSERT INTO t (email, age, city) VALUES (?, ?, ?) RETURNING *');

const server = createServer(async (request, response) => {
  const { rows } = (await json(request)) as { rows: { email: string; age: number; city: string }[] };
  db.exec('BEGIN');
  const inserted = rows.map(({ email, age, city }) => insert.get(email, age, city));
  db.exec('COMMIT');
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ rows: inserted }));
}).listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port));
process.once('disconnect', () => process.exit());
