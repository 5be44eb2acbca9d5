/** A chat server that follows a script, over both transports. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';

/** An open connection of a client. */
export interface Connected {
  /** Sends signals that delete messages with these numbers. */
  say(...numbers: number[]): void;
  /** Sends a frame of a WebSocket. */
  send(frame: object): void;
  end(): void;
  cut(): void;
  /** Texts that the client sent. */
  received: string[];
}

type Answer = ((connected: Connected) => void) | { status: number; headers?: Record<string, string> } | 'hangs';

export interface ScriptedServer {
  url: string;
  /** Answers of successive requests to listen. The last one repeats. */
  answers: Answer[];
  /** Answers of other requests by path. */
  bodies: Record<string, object>;
  /** Positions of requests to listen. */
  asked: { over: 'webSocket' | 'eventStream'; position: string | undefined }[];
  /** Refuses WebSockets, as a proxy that does not support them. */
  refusesUpgrades: boolean;
  stop(): void;
}

/** The position of a numbered signal. */
export const positionOf = (number: number) => String(number).padStart(10, '0');

const signalOf = (number: number) => ({ type: 'message_deleted', data: { id: String(number) } });

export async function startScriptedServer(): Promise<ScriptedServer> {
  const webSockets = new WebSocketServer({ noServer: true, handleProtocols: ([first]) => first ?? false });
  const next = () => (script.answers.length > 1 ? script.answers.shift()! : script.answers[0]!);
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, 'http://chat');
    if (!pathname.endsWith('/listen')) {
      const body = script.bodies[pathname];
      return void response.writeHead(body ? 200 : 404).end(JSON.stringify(body ?? { type: 'ResourceNotFound' }));
    }
    script.asked.push({ over: 'eventStream', position: request.headers['last-event-id'] as string | undefined });
    answerStream(next(), response);
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (script.refusesUpgrades) return void refuse(socket, 502);
    const position = new URL(request.url!, 'http://chat').searchParams.get('after') ?? undefined;
    script.asked.push({ over: 'webSocket', position });
    const answer = next();
    if (answer === 'hangs') return;
    if (typeof answer === 'object') return void refuse(socket, answer.status);
    webSockets.handleUpgrade(request, socket, head, open => answer(connectedBy(open)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const script: ScriptedServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answers: [],
    bodies: {},
    asked: [],
    refusesUpgrades: false,
    stop: () => {
      for (const client of webSockets.clients) client.terminate();
      server.closeAllConnections();
      server.close();
    },
  };
  return script;
}

const refuse = (socket: Duplex, status: number) => socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`);

function connectedBy(socket: WebSocket): Connected {
  const received: string[] = [];
  socket.on('message', data => received.push(String(data)));
  const send = (frame: object) => socket.send(JSON.stringify(frame));
  return {
    received,
    send,
    say: (...numbers) => {
      for (const number of numbers) send({ id: positionOf(number), ...signalOf(number) });
    },
    end: () => socket.close(1001),
    cut: () => socket.terminate(),
  };
}

function answerStream(answer: Answer, response: ServerResponse): void {
  if (answer === 'hangs') return;
  if (typeof answer === 'object') {
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    return void response.end('{"type":"Some","message":"Why"}');
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' }).write(`retry: 5\nid: ${positionOf(0)}\n\n`);
  answer({
    received: [],
    send: () => {},
    say: (...numbers) => {
      // A cursor whose floor is the position.
      for (const number of numbers) {
        response.write(`id: ${positionOf(number)}\ndata: ${JSON.stringify(signalOf(number))}\n\n`);
      }
    },
    end: () => void response.end(),
    cut: () => void response.destroy(),
  });
}
