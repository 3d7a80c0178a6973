import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Brand } from '../../src/kit/brand.ts';
import { type Language, languageCodes } from '../../src/language/languages.ts';
import { type MailContent, writeMail } from '../../src/message/mail.ts';
import { accountNoticeMail, accountNotices } from '../../src/message/mails/account-notice-mail.ts';
import { cancellationMail } from '../../src/message/mails/cancellation-mail.ts';
import { emailChangeMail } from '../../src/message/mails/email-change-mail.ts';
import { endpointAlertMail } from '../../src/message/mails/endpoint-alert-mail.ts';
import { invitationMail } from '../../src/message/mails/invitation-mail.ts';
import { type InvoiceMailKind, invoiceMail } from '../../src/message/mails/invoice-mail.ts';
import { type NoticeSection, noticeMail, testNoticeMail } from '../../src/message/mails/notice-mail.ts';
import { passwordResetMail } from '../../src/message/mails/password-reset-mail.ts';
import { receiptMail } from '../../src/message/mails/receipt-mail.ts';
import { receivingAccountMail } from '../../src/message/mails/receiving-account-mail.ts';
import { referencesLowMail } from '../../src/message/mails/references-low-mail.ts';
import { refundLinkMail } from '../../src/message/mails/refund-link-mail.ts';
import { refundSentMail } from '../../src/message/mails/refund-sent-mail.ts';
import { testMail } from '../../src/message/mails/test-mail.ts';
import { cancellationText, countSegments } from '../../src/message/texts/cancellation-text.ts';
import { phoneCodeText } from '../../src/message/texts/phone-code-text.ts';
import { endpointAlertKinds } from '../../src/notification/endpoint-health.ts';
import { count } from '../setup/counts.ts';

const invoiceKinds: InvoiceMailKind[] = ['due', 'reminder', 'overdue', 'paused'];
const manageUrl = 'https://pay.example/pay/subscription/sub_1.token';
const brand: Brand = {
  name: 'Harbour Teas Ltd',
  displayName: 'Harbour Teas',
  brandColor: '#ffd400',
  logo: 'hash-240x80',
  supportEmail: 'help@shop.example',
};
const invoiceFacts = {
  merchant: brand,
  plan: 'Tea of the month',
  number: 12,
  amount: 'HKD 128.50',
  date: '28 February 2026',
  invoiceUrl: 'https://pay.example/pay/invoice/in_1.token',
  pdfUrl: 'https://pay.example/pay/invoice/in_1.token/pdf',
  manageUrl,
  oneClickUrl: `${manageUrl}/reminders`,
};

type WriteMail<L> = [name: string, write: (language: L) => MailContent];

/** Mails to customers. Add new ones here. */
const customerMails: WriteMail<Language>[] = [
  ...[null, 'Account closed <by the bank>'].map(
    (reason): WriteMail<Language> => [
      `refund-link ${reason}`,
      (language) =>
        refundLinkMail(language, {
          merchant: brand,
          amount: 'HKD 128.50',
          url: 'https://pay.example/pay/refund/re_1.token',
          reference: 'TIGER2345',
          reason,
        }),
    ],
  ),
  [
    'refund-sent',
    (language) =>
      refundSentMail(language, {
        merchant: brand,
        amount: 'HKD 128.50',
        reference: 'TIGER2345',
      }),
  ],
  [
    'receipt',
    (language) =>
      receiptMail(language, {
        merchant: brand,
        orders: [['2 × Dragon Well', 'HK$96.00']],
        amount: 'HK$128.50',
        method: 'FPS',
        reference: 'TIGER2345',
        receivedAt: '28 February 2026 at 14:05 HKT',
        url: 'https://pay.example/checkout?charge=ch_1.token',
      }),
  ],
  ...invoiceKinds.map(
    (kind): WriteMail<Language> => [
      `invoice ${kind}`,
      (language) => invoiceMail(language, { ...invoiceFacts, kind }),
    ],
  ),
  [
    'cancellation',
    (language) =>
      cancellationMail(language, {
        merchant: brand,
        plan: 'Tea of the month',
        url: 'https://pay.example/pay/subscription/sub_1.token?confirm=1.x',
      }),
  ],
];

const noticeSections: NoticeSection[] = [
  {
    topic: 'payments',
    count: 12,
    items: ['HK$128.50 · FPS · TIGER2345'],
    totals: ['HK$1,542.00'],
    url: 'https://pay.example/dashboard/charges',
  },
  {
    topic: 'endpoints',
    count: 1,
    items: ['A webhook was disabled: https://shop.example/hooks'],
    totals: [],
    url: 'https://pay.example/dashboard/webhooks',
  },
];

/** Mails to merchants and operators, which are in English. Add new ones here. */
const teamMails: [name: string, mail: MailContent][] = [
  ...(['mei@example.com', null] as const).map((by): [string, MailContent] => [
    `invitation ${by}`,

    invitationMail({
      merchant: 'Harbour Teas',
      by,
      role: 'developer',
      days: 7,
      url: 'https://pay.example/dashboard/invitation#token',
    }),
  ]),
  [
    'password-reset',

    passwordResetMail({
      url: 'https://pay.example/dashboard/reset-password#token',
      minutes: 60,
      ipAddress: '203.0.113.7',
    }),
  ],
  [
    'email-change',

    emailChangeMail({
      url: 'https://pay.example/dashboard/confirm-email#token',
      minutes: 60,
      before: 'mei@example.com',
      ipAddress: '203.0.113.7',
    }),
  ],
  ...accountNotices.map((notice): [string, MailContent] => [
    `account-notice ${notice}`,

    accountNoticeMail({
      notice,
      at: new Date('2026-11-17T12:00:00.000Z'),
      ipAddress: notice === 'two_factor_disabled' ? null : '203.0.113.7',
      url: 'https://pay.example/dashboard/account',
    }),
  ]),
  ['test-mail', testMail({ publicUrl: 'https://pay.example' })],
  ...(['created', 'updated', 'retired', 'reactivated'] as const).map((change): [string, MailContent] => [
    `receiving-account ${change}`,

    receivingAccountMail({
      change,
      merchant: 'Harbour Teas',
      method: 'FPS',
      account: '1234567',
      holder: 'Harbour Teas <Ltd>',
      bank: 'HSBC',
      by: 'owner@example.com',
      changes: change === 'updated' ? [{ name: 'maxAmount', from: null, to: '500.00 HKD' }] : [],
      at: new Date('2026-11-17T12:00:00.000Z'),
      dashboardUrl: 'https://pay.example/dashboard/receiving-accounts/acc_1',
    }),
  ]),
  [
    'references-low',

    referencesLowMail({
      merchant: 'Harbour Teas',
      mode: 'live',
      detail: '1226752 of 2453504 references used in the last 180 days',
      at: new Date('2026-11-17T12:00:00.000Z'),
      dashboardUrl: 'https://pay.example/dashboard/receiving-accounts/acc_1',
    }),
  ],
  ...endpointAlertKinds.map((kind): [string, MailContent] => [
    `endpoint-alert ${kind}`,

    endpointAlertMail({
      kind,
      merchant: 'Harbour Teas',
      mode: 'live',
      isWebhook: true,
      url: 'https://shop.example/hooks',
      detail: 'the endpoint responded with 500',
      at: new Date('2026-11-17T12:00:00.000Z'),
      dashboardUrl: 'https://pay.example/dashboard/webhooks',
    }),
  ]),
  ...[true, false].map((isDaily): [string, MailContent] => [
    `notice ${isDaily ? 'daily' : 'at once'}`,
    noticeMail({ merchant: 'Harbour Teas', isDaily, sections: noticeSections }),
  ]),
  [
    'notice test',

    testNoticeMail({ merchant: 'Harbour Teas', url: 'https://pay.example/dashboard/account' }),
  ],
];

const cases = [
  ...customerMails.flatMap(([name, write]) =>
    languageCodes.map((language) => [name, language, write(language), write('en')] as const),
  ),
  ...teamMails.map(([name, mail]) => [name, 'en', mail, mail] as const),
];

test.each(cases)('the mail %s has the same content in text and HTML, in %s', (_, language, mail, english) => {
  const { subject, text, html } = mail;
  expect(html).toContain(`<html lang="${language}">`);
  expect(html).toContain(`<title>${subject}</title>`);
  const links = [...html.matchAll(/href="(?:mailto:)?([^"]+)"/g)].map(([, url]) => url);
  for (const url of links) expect(text).toContain(url);
  expect(html).not.toMatch(/src="(?!cid:logo")|@import|url\(/);
  if (language !== 'en') expect(subject).not.toBe(english.subject);
});

describe.each(invoiceKinds)('the mail of an invoice, %s', (kind) => {
  test.each(languageCodes)(
    'has the amount, the due date, the payment link and the unsubscription, in %s',
    (language) => {
      const { text, unsubscribeUrl } = invoiceMail(language, { ...invoiceFacts, kind });
      const { amount, date, invoiceUrl, pdfUrl, oneClickUrl } = invoiceFacts;
      for (const part of [amount, date, '12', invoiceUrl, pdfUrl, `${manageUrl}#reminders`]) {
        expect(text).toContain(part);
      }
      expect(text).not.toContain(oneClickUrl);
      expect(unsubscribeUrl).toBe(oneClickUrl);
      expect(
        invoiceMail(language, { ...invoiceFacts, kind, oneClickUrl: null }).unsubscribeUrl,
      ).toBeUndefined();
    },
  );
});

test('all content of a mail is escaped in its HTML', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string(), (content, name) => {
      const { html, text } = writeMail({
        language: 'en',
        sender: name,
        subject: content,
        blocks: [
          content,
          { facts: [[name, content]] },
          { code: content },
          { button: content, url: 'https://a.example/?a=1&b="' },
        ],
        note: content,
      });
      const tags = (source: string) => source.match(/<[^>]*>/g)?.filter((tag) => tag !== '<br>');
      const plain = writeMail({
        language: 'en',
        sender: 'x',
        subject: 'x',
        blocks: [
          'x',
          { facts: [['x', 'x']] },
          { code: 'x' },
          { button: 'x', url: 'https://a.example/?a=1&b="' },
        ],
        note: 'x',
      });
      expect(tags(html)).toEqual(tags(plain.html));
      expect(text).toContain(content);
    }),
    { numRuns: count(300, 10_000) },
  );
});

test.each(['javascript:alert(1)', 'data:text/html,x', 'not a link'])('a mail does not link to %s', (url) => {
  const mail = { language: 'en', sender: 'x', subject: 'x' } as const;
  expect(() => writeMail({ ...mail, blocks: [{ button: 'x', url }] })).toThrow(
    'can only link to http and https URLs',
  );
});

test.each(languageCodes)(
  'the SMS that cancels a subscription has its link as the only one, in %s',
  (language) => {
    const url = 'https://pay.example/pay/subscription/sub_1.x?confirm=1.y';
    const text = cancellationText(language, {
      merchant: { name: 'Win http://evil.example/x', displayName: '' },
      plan: 'a.example/b',
      url,
    });
    expect(text.match(/\S*\w\.\w\S*/g)).toEqual([expect.stringContaining(url)]);
    expect(text.split(/[\s：]/)).toContain(url);
  },
);

test.each(languageCodes)(
  'the SMS that cancels a subscription has at most two segments, in %s',
  (language) => {
    // As long as the links of `createShortConfirmation`, on a host of 23 characters.
    const url = `https://pay.example.com/pay/c/${'0'.repeat(26)}.htgk0.${'x'.repeat(16)}`;
    for (const name of [
      'Tea',
      'A very long name that goes on and on',
      '海港茶行與中國茶具專門店有限公司全年會員',
      'ร้านชาท่าเรือและเครื่องถ้วยชามจีน',
    ]) {
      const text = cancellationText(language, { merchant: { name, displayName: '' }, plan: name, url });
      expect(countSegments(text), text).toBeLessThanOrEqual(2);
      expect(text).toContain(url);
    }
  },
);

describe('the SMS with a code', () => {
  test.each(languageCodes)('has at most two segments and contains the code, in %s', (language) => {
    const text = phoneCodeText(language, {
      merchant: 'A very long name of a shop that goes on and on',
      code: '012345',
      minutes: 5,
    });
    expect(text).toContain('012345');
    expect(countSegments(text)).toBeLessThanOrEqual(2);
  });

  test('contains no link from a merchant’s name', () => {
    const text = phoneCodeText('en', {
      merchant: 'Win http://evil.example/x',
      code: '1',
      minutes: 5,
    });
    expect(text).not.toMatch(/\w\.\w|:\/\//);
  });
});
