import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll } from 'vitest';
import { Causeway, type Graphql } from '../packages/client/src/index.ts';
import { createServiceEnv } from '../test/process/create-service-env.ts';
import { parsePrintedKeys, runService } from '../test/process/run-service.ts';
import { setupDatabase } from '../test/setup/database.ts';

type SimulationKind = Graphql.SimulateTransferInput['kind'];

/** Starts the service as a process on its own database, with the sandbox of the demo merchant. */
export async function startCauseway() {
  const { connectionString } = await setupDatabase((cleanup) => afterAll(cleanup));
  const service = runService({ ...createServiceEnv(connectionString), DEMO: 'true' });
  afterAll(async () => void (await service.end('SIGTERM')));
  const { url } = await service.ready();
  const { apiKey, apiSecret } = parsePrintedKeys(service.output(), 'sandbox');
  const client = new Causeway({ url, key: apiKey, secret: apiSecret });
  return { url, apiKey, apiSecret, client, ...createActions(client, url) };
}

export type RunningCauseway = Awaited<ReturnType<typeof startCauseway>>;

function createActions(client: Causeway, url: string) {
  /** Executes a mutation, and returns the fields of its success type. */
  const mutate = async <Result>(name: string, input: object, selection: string): Promise<Result> => {
    const type = `${name[0]!.toUpperCase()}${name.slice(1)}`;
    const document = `mutation Run($input: ${type}Input!) {
      ${name}(input: $input) {
        ... on ${type}Success { ${selection} }
        ... on InvalidRequestError { errors { path message } }
        ... on UserError { code message }
      }
    }`;
    return (await client.graphql<Record<string, Result>>(document, { input }))[name]!;
  };
  /** Selects the signing secret here, because the service returns it only once. */
  const createWebhook = (webhookUrl: string) =>
    mutate<{ signingSecret: string; webhook: { id: string } }>(
      'createWebhook',
      { url: webhookUrl, username: 'shop', isSigned: true, notificationVersion: 'v1_0' },
      'signingSecret webhook { id }',
    );
  const setWebhookEnabled = (id: string, isEnabled: boolean) =>
    mutate('updateWebhook', { id, isEnabled }, 'webhook { id }');
  /** Opens the checkout page as the customer and chooses FPS. Returns the ID of the charge. */
  const choosePayment = async (sessionId: string, clientToken: string): Promise<string> => {
    const customer = new Causeway({ url, clientToken });
    const { chargeSession } = await customer.graphql<{ chargeSession: { charge: { id: string } } }>(
      `mutation Choose($id: ID!) {
        chargeSession(input: { id: $id, method: fps, email: "ada@example.com" }) {
          ... on ChargeSessionSuccess { charge { id } }
          ... on UserError { code message }
        }
      }`,
      { id: sessionId },
    );
    return chargeSession.charge.id;
  };
  /** Simulates the customer's payment, and returns the transfers that the bank reports. */
  const pay = async (chargeId: string, kind: SimulationKind = 'exact', amount?: string) => {
    const input = { chargeId, kind, ...(amount !== undefined && { amount }) };
    const { transfers } = await mutate<{
      transfers: { id: string; status: string; reason: string | null }[];
    }>('simulateTransfer', input, 'transfers { id status reason }');
    return transfers;
  };
  /** Advances the clock of the sandbox, so that due actions are processed. */
  const advanceClock = async (hours: number) => {
    const { testClock } = await client.graphql<{ testClock: { now: string } }>('{ testClock { now } }');
    const advanceTo = new Date(new Date(testClock.now).getTime() + hours * 3_600_000).toISOString();
    await mutate('advanceTestClock', { advanceTo }, 'testClock { now }');
  };
  return { mutate, createWebhook, setWebhookEnabled, choosePayment, pay, advanceClock };
}

/** The shop's port must be known before the shop starts, because the URL of its webhook contains it. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/** Repeats `read` until `isExpected`, and returns the last result. Throws after 30 seconds. */
export async function readUntil<Result>(
  read: () => Promise<Result>,
  isExpected: (result: Result) => boolean,
): Promise<Result> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const result = await read();
    if (isExpected(result)) return result;
    if (Date.now() > deadline) throw new Error(`Still ${JSON.stringify(result)}`);
    await delay(100);
  }
}
