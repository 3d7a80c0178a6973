import { Decimal } from '../../kit/decimal.ts';
import type { Quote } from './cross-rate.ts';

const asOf = new Date('2025-06-30T14:00:00Z');

/** Units for one euro, as published around that day and rounded. Indicative: sandbox and demo only, never live money. */
const perEuro: Record<string, string> = {
  AUD: '1.7948',
  BRL: '6.4384',
  CAD: '1.6027',
  CHF: '0.9347',
  CNY: '8.3970',
  CZK: '24.746',
  DKK: '7.4609',
  GBP: '0.8555',
  HKD: '9.2001',
  HUF: '399.60',
  IDR: '19021',
  ILS: '3.9480',
  INR: '100.5605',
  JPY: '169.17',
  KRW: '1588.21',
  MXN: '22.0899',
  MYR: '4.9365',
  NOK: '11.8345',
  NZD: '1.9324',
  PHP: '66.024',
  PLN: '4.2423',
  SEK: '11.1465',
  SGD: '1.4941',
  THB: '38.125',
  TRY: '46.5682',
  TWD: '34.35',
  USD: '1.1720',
  VND: '30590',
  ZAR: '20.8411',
};

/** The dated rates that ship with the service. */
export const snapshot: readonly Quote[] = Object.entries(perEuro).map(([currency, rate]) => ({
  currency,
  rate: new Decimal(rate),
  baseRate: new Decimal(1),
  source: 'snapshot 2025-06-30',
  asOf,
  fetchedAt: asOf,
}));
