import { randomUUID } from 'node:crypto';
import { hourMs } from '../kit/duration.ts';
import { toLocalDate } from '../kit/time-zone.ts';
import type { JsonCall, JsonResponse } from './json-client.ts';
import type { JsonNode } from './json-document.ts';

export const scbApiUrls = {
  live: 'https://api.partners.scb/partners/v1',
  sandbox: 'https://api-sandbox.partners.scb/partners/sandbox/v1',
};

const timeZone = 'Asia/Bangkok';
/** Thai QR code (tag 30), paid by the customer. */
const eventCode = '00300100';

type ScbApi = {
  url: string;
  applicationKey: string;
  applicationSecret: string;
  call: (call: JsonCall) => Promise<JsonResponse>;
};

/** The content of a payment confirmation, which must match the bank's own record. */
type ClaimedPayment = {
  transactionId: string;
  billerId: string;
  reference1: string;
  amount: string;
  paidAt: Date;
};

/** Reads the claim of a payment confirmation; undefined if a member is missing or invalid. */
export function readClaimedPayment(document: JsonNode): ClaimedPayment | undefined {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) return undefined;
  const { transactionId, payeeProxyId: billerId, billPaymentRef1: reference1, amount } = document;
  const paidAt = new Date(String(document.transactionDateandTime));
  const texts = [transactionId, billerId, reference1, amount];
  if (!texts.every((text) => typeof text === 'string') || Number.isNaN(paidAt.getTime())) return undefined;
  return { ...({ transactionId, billerId, reference1, amount } as Omit<ClaimedPayment, 'paidAt'>), paidAt };
}

/**
 * Queries the bank for a payment. Returns undefined if it has a record with the same ID and amount, and
 * otherwise why the payment is not confirmed. Throws if the API cannot be reached.
 */
export async function findScbMismatch(api: ScbApi, claim: ClaimedPayment): Promise<string | undefined> {
  const accessToken = await requestToken(api);
  if (accessToken === undefined) return 'the bank rejected the API key or secret';
  // The bank may date a payment around midnight on either day.
  const days = [-hourMs, 0, hourMs].map((ms) => toLocalDate(new Date(claim.paidAt.getTime() + ms), timeZone));
  let status = 0;
  for (const transactionDate of new Set(days)) {
    const query = new URLSearchParams({
      eventCode,
      transactionDate,
      billerId: claim.billerId,
      reference1: claim.reference1,
      amount: claim.amount,
    });
    const response = await api.call({
      method: 'GET',
      url: `${api.url}/payment/billpayment/inquiry?${query}`,
      headers: { ...toHeaders(api), authorization: `Bearer ${accessToken}` },
    });
    status = response.status;
    if (status === 200 && readRecords(response.document).some((record) => isSamePayment(record, claim)))
      return undefined;
  }
  return status === 200 || status === 404
    ? 'the bank has no such payment'
    : `the bank’s API responded with ${status}`;
}

async function requestToken(api: ScbApi): Promise<string | undefined> {
  const { applicationKey, applicationSecret } = api;
  const { status, document } = await api.call({
    method: 'POST',
    url: `${api.url}/oauth/token`,
    headers: toHeaders(api),
    body: { applicationKey, applicationSecret },
  });
  if (status >= 500) throw new Error(`the bank’s API responded with ${status}`);
  const accessToken = (document as { data?: { accessToken?: unknown } } | undefined)?.data?.accessToken;
  return status === 200 && typeof accessToken === 'string' ? accessToken : undefined;
}

function toHeaders({ applicationKey }: ScbApi): Record<string, string> {
  return { resourceownerid: applicationKey, requestuid: randomUUID(), 'accept-language': 'EN' };
}

type ScbRecord = { transactionId?: unknown; amount?: unknown };

function readRecords(body: unknown): ScbRecord[] {
  const data = (body as { data?: unknown } | undefined)?.data;
  return [data].flat().filter((record): record is ScbRecord => typeof record === 'object' && record !== null);
}

function isSamePayment({ transactionId, amount }: ScbRecord, claim: ClaimedPayment): boolean {
  return transactionId === claim.transactionId && Number(amount) === Number(claim.amount);
}
