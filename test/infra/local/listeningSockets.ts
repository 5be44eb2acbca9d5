/** Lists the addresses that a process and its children listen on, from Linux's /proc. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const LISTENING = '0A';

/** @returns addresses such as `127.0.0.1:4100`. IPv4-mapped IPv6 addresses are shown as IPv4 */
export function listeningSockets(pid: number): string[] {
  const inodes = new Set(processes(pid).flatMap(socketsOf));
  return ['/proc/net/tcp', '/proc/net/tcp6'].flatMap(file =>
    readFileSync(file, 'utf8')
      .split('\n')
      .slice(1)
      .flatMap(line => {
        const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
        return state === LISTENING && inodes.has(inode) ? [readable(local)] : [];
      }),
  );
}

const processes = (pid: number): number[] => [
  pid,
  ...readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .split(' ')
    .filter(Boolean)
    .flatMap(child => processes(Number(child))),
];

const socketsOf = (pid: number): string[] =>
  readdirSync(`/proc/${pid}/fd`).flatMap(fd => {
    try {
      return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
    } catch {
      // The socket was closed meanwhile.
      return [];
    }
  });

/** Decodes the kernel's addresses, which are little-endian 32-bit words. */
function readable(text: string): string {
  const [address = '', port = ''] = text.split(':');
  const bytes = address.match(/.{8}/g)!.flatMap(word => word.match(/../g)!.reverse());
  const isV4 = bytes.length === 4 || bytes.slice(0, 12).join('') === '00000000000000000000FFFF';
  const shown = isV4
    ? bytes
        .slice(-4)
        .map(byte => Number.parseInt(byte, 16))
        .join('.')
    : bytes.join('');
  return `${shown}:${Number.parseInt(port, 16)}`;
}
