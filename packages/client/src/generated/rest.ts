/** Written by `npm run schema` from the contracts of the service. */

/** The customer who pays. */
export type Customer = {
  /** The ID of the customer, `cus_…`. */
  id?: string | undefined;
  /** The customer’s email address. Omitted if it is not known. */
  email?: string | undefined;
  /** The customer’s phone number in E.164 format, such as `+85251234567`. */
  phone?: string | undefined;
  /** The customer’s first name. Omitted if it is not known. */
  firstName?: string | undefined;
  /** The customer’s last name. Omitted if it is not known. */
  lastName?: string | undefined;
};

/** The payment instructions for the customer. Show them unchanged. */
export type Destination = {
  /** The content of the QR code that a payment app scans. Empty if the method has no QR code. */
  qrCode: string;
  /** The account number, phone number or other identifier that the customer pays to. */
  account: string;
  /** The payment reference that the customer must enter in the transfer. It identifies the charge that the transfer pays. */
  nonce: string;
  /** The name of the account holder. */
  accountName: string;
  /** The name of the bank or wallet, as the customer’s app shows it. */
  bank: string;
};

/** Your own data as names and texts, which notifications, lists and exports include. At most 20 keys of 1 to 40 letters, digits, dots, hyphens and underscores, with values of at most 500 characters. */
export type Metadata = Record<string, string>;

/** A refund of a charge, in part or in full. */
export type Refund = {
  /** The ID of the refund, `re_…`. */
  id: string;
  /** The ID of the refunded charge, `ch_…`. */
  chargeId: string;
  customer: Customer;
  /** The code of the payment method that the customer paid with, such as `fps`. */
  method: string;
  /** The refunded amount, in `customerCurrency`. */
  customerAmount: number;
  /** The ISO 4217 code of the currency in which the customer paid and is refunded. */
  customerCurrency: string;
  /** The status of the refund: `initiated`, `processing`, `completed` or `cancelled`. */
  status: string;
  /** The URL of the page on which the customer enters bank details. Returned only by the operations on refunds, while the status is `initiated`, to callers with the permission `refund`. */
  detailsUrl?: string | undefined;
  metadata?: Metadata | undefined;
  /** The text to enter in the payout, by which a bank statement completes the refund. */
  payoutReference: string;
  /** The time at which the refund was completed. Omitted if it has not been completed. */
  completedAt?: string | undefined;
  /** The time at which the refund was created. */
  createdAt: string;
  /** The time at which the refund was last updated. */
  updatedAt: string;
};

/** An order line that the customer pays for. */
export type Order = {
  /** Your own ID of the order or item. It does not have to be unique. */
  id?: string | undefined;
  /** The name of the item. */
  name?: string | undefined;
  /** The number of items. */
  quantity?: number | undefined;
  /** The price of the item, in the currency in which you charge. */
  amount?: number | undefined;
};

/** A request for payment, which one customer pays with one payment method. */
export type Charge = {
  /** The ID of the charge, `ch_…`. */
  id: string;
  customer: Customer;
  /** The amount that you charge, in `merchantCurrency`. */
  merchantAmount: number;
  /** The ISO 4217 code of the currency of `merchantAmount`. */
  merchantCurrency: string;
  /** The code of the payment method that the customer uses, such as `fps`. */
  method: string;
  /** The amount that the customer pays, in `customerCurrency`. It can exceed the converted amount by an offset that makes it unique, so the customer must pay exactly this amount. */
  customerAmount: number;
  /** The ISO 4217 code of the currency in which the customer pays. */
  customerCurrency: string;
  /** The status of the charge: `pending`, `completed`, `expired` or `cancelled`. */
  status: string;
  /** The amount that has arrived so far, in `customerCurrency`. Zero if a sandbox charge was completed manually. */
  amountReceived: number;
  destination: Destination;
  /** The URL of the QR code as a PNG, for an email or your own page. Omitted if the method has no QR code, if the charge has ended, and in the charges of a subscription. */
  qrPngUrl?: string | undefined;
  /** The URL of the QR code as an SVG. Omitted if `qrPngUrl` is. */
  qrSvgUrl?: string | undefined;
  /** The refunds of the charge. */
  refunds: Refund[];
  /** The order lines that the customer pays for. */
  orders: Order[];
  /** Your reference for the charge, which its notifications include. Omitted if there is none. */
  notifyPayload?: string | undefined;
  metadata?: Metadata | undefined;
  /** The callback URL of the session that the charge belongs to. It is notified when the charge completes. Omitted if there is none, and for charges without a session, even if they have a callback URL. */
  notifyUrl?: string | undefined;
  /** The ID of the session that the charge belongs to, `ses_…`. Omitted if there is none. */
  sessionId?: string | undefined;
  /** The ID of the subscription that the charge pays for, `sub_…`. Omitted if there is none. */
  subscriptionId?: string | undefined;
  /** The time until which the charge can be paid. */
  expiresAt: string;
  /** The time at which the charge was created. */
  createdAt: string;
  /** The time at which the charge was last updated. */
  updatedAt: string;
  /** Whether the charge is an equal charge that was already pending. If true, no new charge was created. Returned only when the charge is created. */
  isDuplicate?: boolean | undefined;
  /** The token with which your page in the customer’s browser can cancel the charge without an API key, sent as the header `Cancel-Token`. Returned only when the charge is created. */
  cancelToken?: string | undefined;
};

/** The position of a page in its list. */
export type Pagination = {
  /** The number of pages in the list. */
  totalPages: number;
  /** The number of objects in the list, on all pages. */
  total: number;
  /** The number of this page, starting at 1. */
  currentPage: number;
};

/** A page of charges. */
export type ChargeList = {
  /** The charges of the page, newest first. */
  charges: Charge[];
  pagination: Pagination;
};

/** An invalid part of the input. */
export type InvalidInput = {
  /** A JSON pointer to the invalid part of the input. */
  path: string;
  /** The rule that the value at this path must satisfy. */
  message: string;
};

/** An error (RFC 9457). */
export type Problem = {
  /** A short text for the error code, which is the same for every occurrence. */
  title: string;
  /** A URN that contains the error code. */
  type: string;
  /** The HTTP status of the response. */
  status: number;
  /** A human-readable explanation of this occurrence. Its wording may change. */
  detail: string;
  /** The machine-readable error code, which is stable and shared with GraphQL. Base your error handling on it. */
  code: string;
  /** The ID of the request. Include it when you ask for help. */
  requestId: string;
  /** The invalid parts of the input, at most 50. */
  errors?: InvalidInput[] | undefined;
};

/** An order line that the customer pays for. */
export type OrderInput = {
  /** Your own ID of the order or item, at most 500 characters. It does not have to be unique. */
  id?: string | undefined;
  /** The name of the item, at most 500 characters. */
  name?: string | undefined;
  /** The number of items, at least 1. */
  quantity?: number | undefined;
  /** The price of the item in major units, at least 0, in the currency in which you charge. */
  amount?: number | undefined;
  /** The ISO 4217 code of the currency of the price. If provided, it must be the currency in which you charge. */
  currency?: string | undefined;
};

/** The terms of a new charge. */
export type CreateChargeRequest = {
  /** The code that `POST /customers/phone/verify` returned. It identifies the customer by phone number, and can be used for one charge within 5 minutes. */
  verificationCode?: string | undefined;
  /** The customer’s email address. Required unless `verificationCode` is given. */
  email?: string | undefined;
  /** The amount to charge, in major units of `merchantCurrency`. */
  merchantAmount: number;
  /** The ISO 4217 code of the currency of `merchantAmount`. The customer pays the converted amount in the currency of the payment method. */
  merchantCurrency: string;
  /** The code of the payment method that the customer uses. */
  method: "fps" | "hk-bank-transfer" | "paynow" | "viettel-pay" | "duit-now" | "instapay" | "prompt-pay" | "in-bank-transfer" | "gojek-id" | "id-bank-transfer" | "au-bank-transfer" | "nz-bank-transfer" | "toss";
  /** The order lines that the customer pays for, at most 100. */
  orders?: OrderInput[] | undefined;
  /** Your reference for the charge, at most 4,096 characters. The notifications of the charge include it. */
  notifyPayload?: string | undefined;
  metadata?: Metadata | undefined;
  /** The callback URL that is notified when the charge completes. It must be an https URL; in the sandbox, http is allowed too. */
  notifyUrl?: string | undefined;
  /** The hash from `POST /charges/hash`. Required if secure mode is on. */
  hash?: string | undefined;
};

/** The parts of a charge that its hash covers. */
export type ChargeHashRequest = {
  /** The amount to charge, in major units of `merchantCurrency`. */
  merchantAmount: number;
  /** The ISO 4217 code of the currency of `merchantAmount`. */
  merchantCurrency: string;
  /** The order lines that you will send when you create the charge, unchanged. */
  orders?: OrderInput[] | undefined;
  /** The `notifyPayload` of a `/checkout` URL that you build yourself. The hash of such a URL covers it. */
  notifyPayload?: string | undefined;
  /** The `notifyUrl` of a `/checkout` URL that you build yourself. The hash of such a URL covers it. */
  notifyUrl?: string | undefined;
};

/** A phone number, split into calling code and national number. */
export type PhoneNumber = {
  /** The country calling code with a leading plus sign, such as `+852`. */
  code: string;
  /** The national number, without the country calling code. */
  phone: string;
};

/** The customer’s details, with which the page is prefilled. */
export type CustomerDetails = {
  /** The customer’s email address. */
  email?: string | undefined;
  phone?: PhoneNumber | undefined;
  /** The customer’s first name, at most 100 characters. */
  firstName?: string | undefined;
  /** The customer’s last name, at most 100 characters. */
  lastName?: string | undefined;
};

/** The terms of a new session. */
export type CreateSessionRequest = {
  /** The amount to charge, in major units of `currency`. */
  amount: number;
  /** The ISO 4217 code of the currency of `amount`. */
  currency: string;
  /** The order lines that the customer pays for, at most 100. */
  orders?: OrderInput[] | undefined;
  /** The codes of the payment methods to offer. If empty or omitted, all of your methods are offered. */
  methods?: string[] | undefined;
  /** The callback URL that is notified when the charge completes. It must be an https URL; in the sandbox, http is allowed too. */
  notifyUrl?: string | undefined;
  /** Your reference for the charge, at most 4,096 characters. The notifications of the charge include it. */
  notifyPayload?: string | undefined;
  metadata?: Metadata | undefined;
  /** The return URL, to which a button on the checkout page links. It must be an https URL or use one of the URL schemes in your settings; in the sandbox, http is allowed too. `{SESSION_ID}` in it is replaced by the ID of the session. */
  redirectUrl?: string | undefined;
  /** The URL to which the button links instead if the payment was cancelled or has expired. The rules of `redirectUrl` apply. */
  cancelUrl?: string | undefined;
  /** The time in which the customer can start the payment, from 5 minutes to 30 days (43,200). By default, the session expires after 7 days, or an hour after a browser has claimed it. */
  expiresInMinutes?: number | undefined;
  customer?: CustomerDetails | undefined;
  /** The language of the checkout page and of messages to the customer. By default, the language of their browser. */
  locale?: "en" | "zh-Hant" | "zh" | "id" | "ms" | "fil" | "vi" | "th" | "ko" | "hi" | undefined;
};

/** A one-time payment page for one customer. */
export type Session = {
  /** The ID of the session, `ses_…`. */
  id: string;
  /** The status of the session: `created`, `initiated`, `charged`, `cancelled` or `expired`. */
  status: string;
  /** The amount to charge, in `currency`. */
  amount: number;
  /** The ISO 4217 code of the currency of `amount`. */
  currency: string;
  /** The order lines that the customer pays for. */
  orders: Order[];
  /** The codes of the payment methods that customers can choose from. Selected methods that are currently unavailable are omitted. */
  methods: string[];
  /** The URL of the payment page, to which you send the customer. */
  checkoutUrl: string;
  /** The callback URL that is notified when the charge of the session completes. Omitted if there is none. */
  notifyUrl?: string | undefined;
  /** Your reference, which is copied to the charge of the session. Omitted if there is none. */
  notifyPayload?: string | undefined;
  metadata?: Metadata | undefined;
  /** The return URL, to which a button on the checkout page links. Omitted if there is none. */
  redirectUrl?: string | undefined;
  /** The URL to which the button links if the payment was cancelled or has expired. Omitted if it is `redirectUrl`. */
  cancelUrl?: string | undefined;
  customer?: CustomerDetails | undefined;
  /** The token with which your page in the customer’s browser can read, follow, pay and cancel the session over GraphQL. Returned only when the session is created. */
  clientToken?: string | undefined;
  /** The time at which the session expires if it has not been used. */
  expiresAt: string;
  /** The time at which the session was created. */
  createdAt: string;
  /** The time at which the session was last updated. */
  updatedAt: string;
};

/** A page of refunds. */
export type RefundList = {
  /** The refunds of the page, newest first. */
  refunds: Refund[];
  pagination: Pagination;
};

/** The terms of a new refund. */
export type CreateRefundRequest = {
  /** The ID of a completed charge, `ch_…`. */
  chargeId: string;
  /** The amount to refund, in the `customerCurrency` of the charge. */
  customerAmount: number;
  metadata?: Metadata | undefined;
};

/** Lets the customer choose the amount on the payment page, between optional limits. Replaces `amount`. */
export type CustomAmount = {
  /** The lowest amount that customers can choose, in major units. */
  min?: number | undefined;
  /** The highest amount that customers can choose, in major units. */
  max?: number | undefined;
};

/** The terms of a new checkout link. */
export type CreateCheckoutLinkRequest = {
  /** The amount to charge, in major units of `currency`. Required unless you set `customAmount`. */
  amount?: number | undefined;
  customAmount?: CustomAmount | undefined;
  /** The ISO 4217 code of the currency of the amount. */
  currency: string;
  /** Your publishable key (`pk_…`) of the same mode as the API key. The API key itself (`ck_…`, without its secret) is also accepted. */
  apiKey: string;
  /** The order lines that the customer pays for, at most 100. */
  orders?: OrderInput[] | undefined;
  /** The payment methods to offer, as a list of codes for each country code. An empty list offers all of your methods in that country. Countries that are not listed are not offered. If the field is omitted, all of your methods are offered. */
  paymentMethods?: Record<string, string[]> | undefined;
  /** Your reference for the charge, at most 4,096 characters. The notifications of the charge include it. */
  notifyPayload?: string | undefined;
  metadata?: Metadata | undefined;
  /** The return URL, to which a button on the checkout page links. It must be an https URL or use one of the URL schemes in your settings; in the sandbox, http is allowed too. */
  redirectUrl?: string | undefined;
  customer?: CustomerDetails | undefined;
};

/** A checkout link. */
export type CheckoutLink = {
  /** The URL of the payment page, to which you send customers. */
  checkoutLink: string;
};

/** The terms of a new enrolment link. */
export type CreateSubscriptionLinkRequest = {
  /** The ID of the plan, `pl_…`. */
  subscriptionPlanId: string;
  /** Your publishable key (`pk_…`) of the same mode as the API key. The API key itself (`ck_…`, without its secret) is also accepted. */
  apiKey?: string | undefined;
  customer?: CustomerDetails | undefined;
  /** The payment methods to offer, as a list of codes for each country code. An empty list offers all methods of the plan in that country. Countries that are not listed are not offered. If the field is omitted, all methods of the plan are offered. */
  paymentMethods?: Record<string, string[]> | undefined;
  /** Your reference, which is copied to each charge of the subscriptions that are created with the link. */
  notifyPayload?: string | undefined;
  metadata?: Metadata | undefined;
  /** The return URL, to which a button on the customer’s payment pages links. It must be an https URL or use one of the URL schemes in your settings; in the sandbox, http is allowed too. */
  redirectUrl?: string | undefined;
};

/** An enrolment link. */
export type SubscriptionLink = {
  /** The URL of the enrolment page, to which you send customers. */
  subscriptionLink: string;
};

/** The invoice of a recurring payment. */
export type Invoice = {
  /** The ID of the invoice, `in_…`. */
  id: string;
  /** The ID of the subscription that the invoice renews, `sub_…`. */
  subscriptionId: string;
  /** The number of the invoice in your series, which starts at 1 and has no gaps. */
  number: number;
  /** The status of the invoice: `open`, `paid` or `void`. */
  status: string;
  /** The invoiced amount, in `currency`. */
  amount: number;
  /** The ISO 4217 code of the currency of the plan. */
  currency: string;
  customer: Customer;
  /** The ID of the charge with which the invoice is to be paid or was paid. Omitted if no payment method is available. The customer then chooses one. */
  chargeId?: string | undefined;
  /** The URL of the page on which the customer sees and pays the invoice. */
  checkoutLink: string;
  /** The URL of the invoice as a PDF. Anyone with the URL can open it. */
  pdfUrl: string;
  /** The time at which the invoice is due, which is the subscription’s `activeUntil`. */
  invoiceDueOn: string;
};

/** The subscription of a customer to a plan. */
export type Subscription = {
  /** The ID of the subscription, `sub_…`. */
  id: string;
  /** The ID of the plan that defines the terms, `pl_…`. */
  subscriptionPlanId: string;
  customer: Customer;
  /** The status of the subscription: `inactive`, `active`, `completed` or `cancelled`. */
  status: string;
  /** The status in more detail: `awaiting_first_payment` or `paused` if it is `inactive`; otherwise the same as `status`. */
  phase: string;
  /** Your reference, which is copied to each charge of the subscription. Omitted if there is none. */
  notifyPayload?: string | undefined;
  metadata?: Metadata | undefined;
  /** The time at which the customer enrolled. */
  createdAt: string;
  /** The time at which the subscription was last updated. */
  updatedAt: string;
  /** The newest 50 invoices of the subscription. */
  invoices: Invoice[];
  /** The newest 50 charges of the subscription. */
  charges: Charge[];
  /** The time at which the next payment is due. Null if no payment is due. */
  nextPayment: string | null;
  /** The time until which the subscription is paid for. Null if the subscription has not started. */
  activeUntil: string | null;
  /** The number of payments completed so far. */
  numPaymentsComplete: number;
};

/** A page of subscriptions. */
export type SubscriptionList = {
  /** The subscriptions of the page, newest first. */
  subscriptions: Subscription[];
  pagination: Pagination;
};

/** The amount and frequency of the recurring payment. */
export type RecurringPayment = {
  /** The amount of each payment, in the currency of the plan. */
  amount: number;
  /** The unit of the billing period: `days`, `months` or `years`. */
  period: string;
  /** The number of units in a billing period, from 1 to 400. */
  count: number;
};

/** The terms of the first payment. Omitted if they are the same as those of the recurring payment. */
export type InitialPayment = {
  /** The amount of the first payment. It is zero if there is no first payment, and omitted if the first payment has the recurring amount. */
  amount?: number | undefined;
  /** The unit of the billing period: `days`, `months` or `years`. */
  period?: string | undefined;
  /** The number of units between the first and the second payment. Omitted if this time is one billing period. */
  count?: number | undefined;
};

/** The tax on the amounts. Omitted if there is none. */
export type Tax = {
  /** The name of the tax, such as `GST`. */
  name: string;
  /** The rate in percent. */
  rate: number;
  /** Whether the amounts of the plan include the tax. Otherwise, customers pay it in addition. */
  isInclusive: boolean;
};

/** The terms of subscriptions. */
export type SubscriptionPlan = {
  /** The ID of the plan, `pl_…`. */
  id: string;
  /** The name that customers see. */
  name: string;
  /** The number of payments after which a subscription is completed. Omitted if subscriptions continue until they are cancelled. */
  numPayments?: number | undefined;
  /** The ISO 4217 code of the currency of the amounts. */
  currency: string;
  recurringPayment: RecurringPayment;
  initialPayment?: InitialPayment | undefined;
  /** Whether invoices and reminders are emailed to customers. */
  sendEmail: boolean;
  /** The number of days between the creation of the invoice and its due date. */
  invoiceNotice: number;
  /** The number of days after the due date for which an unpaid subscription stays active. */
  gracePeriod: number;
  /** The order lines that customers pay for, which are copied to every charge. */
  orders: Order[];
  /** The payment methods that customers can choose from. Selected methods that are currently unavailable are omitted. */
  methods: string[];
  tax?: Tax | undefined;
  /** The status of the plan: `active` or `inactive`. */
  status: string;
  /** The time at which the plan was created. */
  createdAt: string;
  /** The time at which the plan was last updated. */
  updatedAt: string;
};

/** A page of subscription plans. */
export type SubscriptionPlanList = {
  /** The plans of the page, newest first. */
  subscriptionPlans: SubscriptionPlan[];
  pagination: Pagination;
};

/** A transfer that your bank reported. */
export type TransferInput = {
  /** The bank’s own reference for the transfer. It must be the same whenever the transfer is reported again. */
  id: string;
  /** The ID of the receiving account, `acc_…`. Alternatively, provide both `method` and `account`. */
  receivingAccountId?: string | undefined;
  /** The payment method of the receiving account. Required, together with `account`, unless you provide `receivingAccountId`. */
  method?: string | undefined;
  /** The number of the receiving account. Required, together with `method`, unless you provide `receivingAccountId`. */
  account?: string | undefined;
  /** The amount of the transfer, in major units of `currency`. */
  amount: number;
  /** The ISO 4217 code of the currency of `amount`. */
  currency: string;
  /** The text that the payer wrote, which should contain the payment reference. */
  reference: string;
  /** The name of the payer, at most 200 characters. */
  payerName?: string | undefined;
  /** The time of the payment in ISO 8601 format, or only the date if the bank reports no time. A time without an offset is in the time zone of the receiving account. */
  paidAt: string;
  /** The direction of the transfer. The default is `credit`. A `debit` can be the payout of a refund. */
  direction?: "credit" | "debit" | undefined;
};

/** The transfers to record. */
export type RecordTransfersRequest = {
  /** The transfers, each of which is processed independently. */
  transfers: TransferInput[];
};

/** The result for one transfer of the request. */
export type TransferResult = {
  /** The bank’s own reference for the transfer, as provided in the request. */
  id: string;
  /** The status of the transfer: `matched`, `partial`, `over`, `exception` or `duplicate`, `outgoing` for a debit, or `dismissed` if one of your rules ignores it. */
  status: string;
  /** The ID of the recorded transfer, `tr_…`. Omitted if the item is invalid. */
  transferId?: string | undefined;
  /** The ID of the charge to which the transfer is applied, `ch_…`. Omitted if there is none. */
  chargeId?: string | undefined;
  /** The ID of the refund that an outgoing transfer paid. */
  refundId?: string | undefined;
  /** The reason why the status is `exception`, or why an outgoing transfer is not the payout of a refund. Omitted otherwise. */
  reason?: string | undefined;
  /** The error in the item, if the reason is `invalid`. Omitted otherwise. */
  detail?: string | undefined;
};

/** The results of recording transfers. */
export type TransferResultList = {
  /** The results, in the order of the request. */
  transfers: TransferResult[];
};

/** The phone number to verify. */
export type PhoneVerificationRequest = {
  phone: PhoneNumber;
  /** The language of the SMS. If omitted, it is the language of the phone number’s country or, if that language is not supported, English. */
  locale?: "en" | "zh-Hant" | "zh" | "id" | "ms" | "fil" | "vi" | "th" | "ko" | "hi" | undefined;
};

/** A verification that was started. */
export type PhoneVerification = {
  /** Whether the code was created. The value is always true, because problems are returned as errors. */
  isSuccess: boolean;
};

/** The one-time password that the customer entered. */
export type VerifyPhoneRequest = {
  phone: PhoneNumber;
  /** The one-time password that the customer entered. */
  code: string;
};

/** A phone number that the customer verified. */
export type VerifiedPhone = {
  /** The code to pass to `POST /charges`. It can be used for one charge within 5 minutes. */
  verificationCode: string;
};

/** A payment method with which you can receive payments. */
export type PaymentMethod = {
  /** The code of the payment method, such as `fps`. */
  method: string;
  /** The highest maximum amount of a payment among your active accounts, in `currency`. */
  max: number;
  /** The name by which customers know the payment method. */
  name: string;
  /** The URL of an SVG logo, served by this service. */
  icon: string;
};

/** The payment methods of a country. */
export type CountryMethods = {
  /** The ISO 3166-1 code of the country in which customers use the payment methods. */
  country: string;
  /** The ISO 4217 code of the currency in which customers pay. */
  currency: string;
  /** The payment methods of the country with which you can receive payments. */
  methods: PaymentMethod[];
};

/** An amount at the current exchange rate. */
export type ConvertedAmount = {
  /** The converted amount, in the destination currency. */
  amount: number;
  /** The number of units of the destination currency for one unit of the source currency. */
  rate: number;
};

/** The strings of the customer pages in one language. */
export type Translation = {
  /** The strings, as nested objects. */
  translation: Record<string, unknown>;
};

/** An uploaded file. */
export type Upload = {
  /** The ID of the upload, `up_…`, which you pass to `importStatement` (GraphQL). */
  uploadId: string;
  /** The number of bytes received. */
  size: number;
  /** The SHA-256 hash of the file, in hexadecimal. */
  sha256: string;
};

/** An order line in an event. */
export type OrderOfEvent = {
  /** Your own ID of the order or item. It does not have to be unique. */
  id?: string | undefined;
  /** The name of the item. */
  name?: string | undefined;
  /** The number of items. */
  quantity?: number | undefined;
  /** The price of the item, in the currency in which you charge. */
  amount?: number | undefined;
  /** The ISO 4217 code of the currency of `amount`. */
  currency: string;
};

/** The charge at the time of the event. */
export type ChargeEventPayload = {
  /** The ID of the charge, `ch_…`. */
  chargeId: string;
  /** The ID of your account, `mer_…`. */
  merchantId: string;
  /** The amount that you charge, in `merchantCurrency`. */
  merchantAmount: number;
  /** The ISO 4217 code of the currency of `merchantAmount`. */
  merchantCurrency: string;
  /** The amount that the customer pays, in `customerCurrency`. It can exceed the converted amount by an offset that makes it unique, so the customer must pay exactly this amount. */
  customerAmount: number;
  /** The ISO 4217 code of the currency in which the customer pays. */
  customerCurrency: string;
  /** The status of the charge: `pending`, `completed`, `expired` or `cancelled`. */
  status: string;
  /** The amount that has arrived so far, in `customerCurrency`. Zero if a sandbox charge was completed manually. */
  amountReceived: number;
  metadata?: Metadata | undefined;
  /** The ID of the session that the charge belongs to, `ses_…`. Omitted if there is none. */
  sessionId?: string | undefined;
  /** The ID of the subscription that the charge pays for, `sub_…`. Omitted if there is none. */
  subscriptionId?: string | undefined;
  /** The code of the payment method, `method` in responses. */
  paymentMethod: string;
  /** The order lines that the customer pays for. */
  orders: OrderOfEvent[];
  /** The mode of the object. No real money is paid in the sandbox. */
  mode: "live" | "sandbox";
  /** The ID of the event, `ev_…`, the same in every attempt. */
  eventId: string;
  /** The event type, the same as `message`. */
  eventType: "CHARGE_COMPLETE" | "charge_created" | "charge_completed" | "charge_expired" | "charge_cancelled" | "charge_part_paid" | "charge_overpaid";
  /** The time of the event, in seconds since 1970. */
  timestamp: number;
  /** Your reference for the charge, session or subscription. Omitted if there is none. */
  notifyPayload?: string | undefined;
};

/** The body of notifications about charges. */
export type ChargeNotification = {
  /** The ID of your account, `mer_…`. */
  merchantId: string;
  /** The time of the event, in seconds since 1970. */
  timestamp: number;
  /** The ID of the event, `ev_…`, the same in every attempt. Process each event once. */
  eventId: string;
  /** The version that the webhook is set to. */
  notificationVersion: "0.8" | "0.9" | "1.0";
  /** The version of the object, which increases with each of its events. */
  objectVersion: number;
  /** The ID of the charge, `ch_…`. */
  chargeId: string;
  /** The event type. */
  message: "CHARGE_COMPLETE" | "charge_created" | "charge_completed" | "charge_expired" | "charge_cancelled" | "charge_part_paid" | "charge_overpaid";
  payload: ChargeEventPayload;
  /** The signature of `payload` with your certificate, in base64. Only in callbacks. */
  signature?: string | undefined;
};

/** The session at the time of the event. */
export type SessionEventPayload = {
  /** The ID of the session, `ses_…`, the same as `id`. */
  sessionId: string;
  /** The ID of your account, `mer_…`. */
  merchantId: string;
  /** The ID of the session, `ses_…`. */
  id: string;
  /** The status of the session: `created`, `initiated`, `charged`, `cancelled` or `expired`. */
  status: string;
  /** The amount to charge, in `currency`. */
  amount: number;
  /** The ISO 4217 code of the currency of `amount`. */
  currency: string;
  /** The order lines that the customer pays for. */
  orders: Order[];
  /** The codes of the payment methods that customers can choose from. Selected methods that are currently unavailable are omitted. */
  methods: string[];
  /** The URL of the payment page, to which you send the customer. */
  checkoutUrl: string;
  /** The callback URL that is notified when the charge of the session completes. Omitted if there is none. */
  notifyUrl?: string | undefined;
  /** Your reference for the charge, session or subscription. Omitted if there is none. */
  notifyPayload?: string | undefined;
  metadata?: Metadata | undefined;
  /** The return URL, to which a button on the checkout page links. Omitted if there is none. */
  redirectUrl?: string | undefined;
  /** The URL to which the button links if the payment was cancelled or has expired. Omitted if it is `redirectUrl`. */
  cancelUrl?: string | undefined;
  customer?: CustomerDetails | undefined;
  /** The time at which the session expires if it has not been used. */
  expiresAt: string;
  /** The time at which the session was created. */
  createdAt: string;
  /** The time at which the session was last updated. */
  updatedAt: string;
  /** The mode of the object. No real money is paid in the sandbox. */
  mode: "live" | "sandbox";
  /** The ID of the event, `ev_…`, the same in every attempt. */
  eventId: string;
  /** The event type, the same as `message`. */
  eventType: "session_expired" | "session_cancelled";
  /** The time of the event, in seconds since 1970. */
  timestamp: number;
};

/** The body of notifications about sessions. */
export type SessionNotification = {
  /** The ID of your account, `mer_…`. */
  merchantId: string;
  /** The time of the event, in seconds since 1970. */
  timestamp: number;
  /** The ID of the event, `ev_…`, the same in every attempt. Process each event once. */
  eventId: string;
  /** The version that the webhook is set to. */
  notificationVersion: "0.8" | "0.9" | "1.0";
  /** The version of the object, which increases with each of its events. */
  objectVersion: number;
  /** The event type. */
  message: "session_expired" | "session_cancelled";
  payload: SessionEventPayload;
};

/** The refund at the time of the event. */
export type RefundEventPayload = {
  /** The ID of the refund, `re_…`. */
  id: string;
  /** The ID of the refunded charge, `ch_…`. */
  chargeId: string;
  customer: Customer;
  /** The code of the payment method that the customer paid with, such as `fps`. */
  method: string;
  /** The refunded amount, in `customerCurrency`. */
  customerAmount: number;
  /** The ISO 4217 code of the currency in which the customer paid and is refunded. */
  customerCurrency: string;
  /** The status of the refund: `initiated`, `processing`, `completed` or `cancelled`. */
  status: string;
  metadata?: Metadata | undefined;
  /** The text to enter in the payout, by which a bank statement completes the refund. */
  payoutReference: string;
  /** The time at which the refund was completed. Omitted if it has not been completed. */
  completedAt?: string | undefined;
  /** The time at which the refund was created. */
  createdAt: string;
  /** The time at which the refund was last updated. */
  updatedAt: string;
  /** The mode of the object. No real money is paid in the sandbox. */
  mode: "live" | "sandbox";
  /** The ID of the event, `ev_…`, the same in every attempt. */
  eventId: string;
  /** The event type, the same as `message`. */
  eventType: "refund_initiated" | "refund_processing" | "refund_completed" | "refund_cancelled";
  /** The time of the event, in seconds since 1970. */
  timestamp: number;
  /** Your reference for the charge, session or subscription. Omitted if there is none. */
  notifyPayload?: string | undefined;
};

/** The body of notifications about refunds. */
export type RefundNotification = {
  /** The ID of your account, `mer_…`. */
  merchantId: string;
  /** The time of the event, in seconds since 1970. */
  timestamp: number;
  /** The ID of the event, `ev_…`, the same in every attempt. Process each event once. */
  eventId: string;
  /** The version that the webhook is set to. */
  notificationVersion: "0.8" | "0.9" | "1.0";
  /** The version of the object, which increases with each of its events. */
  objectVersion: number;
  /** The event type. */
  message: "refund_initiated" | "refund_processing" | "refund_completed" | "refund_cancelled";
  payload: RefundEventPayload;
};

/** The subscription at the time of the event. */
export type SubscriptionEventPayload = {
  /** The ID of the subscription, `sub_…`. */
  id: string;
  /** The ID of the plan that defines the terms, `pl_…`. */
  subscriptionPlanId: string;
  customer: Customer;
  /** The status of the subscription: `inactive`, `active`, `completed` or `cancelled`. */
  status: string;
  /** The status in more detail: `awaiting_first_payment` or `paused` if it is `inactive`; otherwise the same as `status`. */
  phase: string;
  /** Your reference for the charge, session or subscription. Omitted if there is none. */
  notifyPayload?: string | undefined;
  metadata?: Metadata | undefined;
  /** The time at which the customer enrolled. */
  createdAt: string;
  /** The time at which the subscription was last updated. */
  updatedAt: string;
  /** The newest 50 invoices of the subscription. */
  invoices: Invoice[];
  /** The newest 50 charges of the subscription. */
  charges: Charge[];
  /** The time at which the next payment is due. Null if no payment is due. */
  nextPayment: string | null;
  /** The time until which the subscription is paid for. Null if the subscription has not started. */
  activeUntil: string | null;
  /** The number of payments completed so far. */
  numPaymentsComplete: number;
  /** The ID of the charge that was paid, `ch_…`. Only in `subscription_paid` and `subscription_completed`, if there was a payment. */
  chargeId?: string | undefined;
  /** The mode of the object. No real money is paid in the sandbox. */
  mode: "live" | "sandbox";
  /** The ID of the event, `ev_…`, the same in every attempt. */
  eventId: string;
  /** The event type, the same as `message`. */
  eventType: "subscription_created" | "subscription_paid" | "subscription_paused" | "subscription_resumed" | "subscription_updated" | "subscription_cancelled" | "subscription_completed";
  /** The time of the event, in seconds since 1970. */
  timestamp: number;
};

/** The body of notifications about subscriptions. */
export type SubscriptionNotification = {
  /** The ID of your account, `mer_…`. */
  merchantId: string;
  /** The time of the event, in seconds since 1970. */
  timestamp: number;
  /** The ID of the event, `ev_…`, the same in every attempt. Process each event once. */
  eventId: string;
  /** The version that the webhook is set to. */
  notificationVersion: "0.8" | "0.9" | "1.0";
  /** The version of the object, which increases with each of its events. */
  objectVersion: number;
  /** The event type. */
  message: "subscription_created" | "subscription_paid" | "subscription_paused" | "subscription_resumed" | "subscription_updated" | "subscription_cancelled" | "subscription_completed";
  payload: SubscriptionEventPayload;
};

/** The invoice at the time of the event. */
export type InvoiceEventPayload = {
  /** The ID of the invoice, `in_…`. */
  id: string;
  /** The ID of the subscription that the invoice renews, `sub_…`. */
  subscriptionId: string;
  /** The number of the invoice in your series, which starts at 1 and has no gaps. */
  number: number;
  /** The status of the invoice: `open`, `paid` or `void`. */
  status: string;
  /** The invoiced amount, in `currency`. */
  amount: number;
  /** The ISO 4217 code of the currency of the plan. */
  currency: string;
  customer: Customer;
  /** The ID of the charge with which the invoice is to be paid or was paid. Omitted if no payment method is available. The customer then chooses one. */
  chargeId?: string | undefined;
  /** The URL of the page on which the customer sees and pays the invoice. */
  checkoutLink: string;
  /** The URL of the invoice as a PDF. Anyone with the URL can open it. */
  pdfUrl: string;
  /** The time at which the invoice is due, which is the subscription’s `activeUntil`. */
  invoiceDueOn: string;
  /** The mode of the object. No real money is paid in the sandbox. */
  mode: "live" | "sandbox";
  /** The ID of the event, `ev_…`, the same in every attempt. */
  eventId: string;
  /** The event type, the same as `message`. */
  eventType: "subscription_invoice_due";
  /** The time of the event, in seconds since 1970. */
  timestamp: number;
  /** Your reference for the charge, session or subscription. Omitted if there is none. */
  notifyPayload?: string | undefined;
};

/** The body of notifications about invoices. */
export type InvoiceNotification = {
  /** The ID of your account, `mer_…`. */
  merchantId: string;
  /** The time of the event, in seconds since 1970. */
  timestamp: number;
  /** The ID of the event, `ev_…`, the same in every attempt. Process each event once. */
  eventId: string;
  /** The version that the webhook is set to. */
  notificationVersion: "0.8" | "0.9" | "1.0";
  /** The version of the object, which increases with each of its events. */
  objectVersion: number;
  /** The event type. */
  message: "subscription_invoice_due";
  payload: InvoiceEventPayload;
};

/** The transfer at the time of the event. */
export type TransferEventPayload = {
  /** The ID of the transfer, `tr_…`. */
  id: string;
  /** The ID of your account, `mer_…`. */
  merchantId: string;
  /** The bank’s own reference of the transfer, such as its transaction ID. Omitted if the bank gave none. */
  bankReference?: string | undefined;
  /** The ID of the receiving account, `acc_…`. */
  receivingAccountId: string;
  /** The amount of the transfer, in `currency`. */
  amount: number;
  /** The ISO 4217 code of the currency of `amount`. */
  currency: string;
  /** The text that the payer wrote. */
  reference: string;
  /** The name of the payer, if the bank reported it. */
  payerName?: string | undefined;
  /** The status of the transfer, `exception`. */
  status: string;
  /** The reason why the transfer needs review. */
  reason?: string | undefined;
  /** The time of the payment. */
  paidAt: string;
  /** The mode of the object. No real money is paid in the sandbox. */
  mode: "live" | "sandbox";
  /** The ID of the event, `ev_…`, the same in every attempt. */
  eventId: string;
  /** The event type, the same as `message`. */
  eventType: "transfer_exception";
  /** The time of the event, in seconds since 1970. */
  timestamp: number;
  /** Your reference for the charge, session or subscription. Omitted if there is none. */
  notifyPayload?: string | undefined;
};

/** The body of notifications about transfers. */
export type TransferNotification = {
  /** The ID of your account, `mer_…`. */
  merchantId: string;
  /** The time of the event, in seconds since 1970. */
  timestamp: number;
  /** The ID of the event, `ev_…`, the same in every attempt. Process each event once. */
  eventId: string;
  /** The version that the webhook is set to. */
  notificationVersion: "0.8" | "0.9" | "1.0";
  /** The version of the object, which increases with each of its events. */
  objectVersion: number;
  /** The event type. */
  message: "transfer_exception";
  payload: TransferEventPayload;
};

/** The query, body and successful response of each operation. */
export type RestOperations = {
  listCharges: {
    query: {
      method?: "fps" | "hk-bank-transfer" | "paynow" | "viettel-pay" | "duit-now" | "instapay" | "prompt-pay" | "in-bank-transfer" | "gojek-id" | "id-bank-transfer" | "au-bank-transfer" | "nz-bank-transfer" | "toss" | undefined;
      status?: "pending" | "completed" | "expired" | "cancelled" | undefined;
      startDate?: string | undefined;
      endDate?: string | undefined;
      customerCurrency?: string | undefined;
      customerEmail?: string | undefined;
      customerPhone?: string | undefined;
      notifyPayload?: string | undefined;
      metadata?: string | undefined;
      page?: number | undefined;
      limit?: number | undefined;
    };
    response: ChargeList;
  };
  createCharge: {
    body: CreateChargeRequest;
    response: Charge;
  };
  getCharge: {
    response: Charge;
  };
  createChargeHash: {
    body: ChargeHashRequest;
    response: string;
  };
  completeSandboxCharge: {
    response: Charge;
  };
  cancelCharge: {
    response: true;
  };
  createSession: {
    body: CreateSessionRequest;
    response: Session;
  };
  getSession: {
    response: Session;
  };
  getSessionCharge: {
    response: Charge;
  };
  listRefunds: {
    query: {
      chargeId?: string | undefined;
      status?: "initiated" | "processing" | "completed" | "cancelled" | undefined;
      startDate?: string | undefined;
      endDate?: string | undefined;
      customerCurrency?: string | undefined;
      customerEmail?: string | undefined;
      customerPhone?: string | undefined;
      notifyPayload?: string | undefined;
      metadata?: string | undefined;
      page?: number | undefined;
      limit?: number | undefined;
    };
    response: RefundList;
  };
  createRefund: {
    body: CreateRefundRequest;
    response: Refund;
  };
  getRefund: {
    response: Refund;
  };
  createCheckoutLink: {
    body: CreateCheckoutLinkRequest;
    response: CheckoutLink;
  };
  createSubscriptionLink: {
    body: CreateSubscriptionLinkRequest;
    response: SubscriptionLink;
  };
  listSubscriptions: {
    query: {
      startDate?: string | undefined;
      endDate?: string | undefined;
      subscriptionPlanId?: string | undefined;
      customerCurrency?: string | undefined;
      customerEmail?: string | undefined;
      customerPhone?: string | undefined;
      notifyPayload?: string | undefined;
      metadata?: string | undefined;
      page?: number | undefined;
      limit?: number | undefined;
    };
    response: SubscriptionList;
  };
  getSubscription: {
    response: Subscription;
  };
  listSubscriptionPlans: {
    query: {
      status?: "active" | "inactive" | undefined;
      currency?: string | undefined;
      startDate?: string | undefined;
      endDate?: string | undefined;
      page?: number | undefined;
      limit?: number | undefined;
    };
    response: SubscriptionPlanList;
  };
  getSubscriptionPlan: {
    response: SubscriptionPlan;
  };
  recordTransfers: {
    body: RecordTransfersRequest;
    response: TransferResultList;
  };
  requestPhoneVerification: {
    body: PhoneVerificationRequest;
    response: PhoneVerification;
  };
  verifyPhone: {
    body: VerifyPhoneRequest;
    response: VerifiedPhone;
  };
  listMethods: {
    query: {
      locale?: "en" | "zh-Hant" | "zh" | "id" | "ms" | "fil" | "vi" | "th" | "ko" | "hi" | undefined;
    };
    response: CountryMethods[];
  };
  listCurrencies: {
    response: string[];
  };
  convert: {
    query: {
      sourceCurrency: string;
      sourceAmount: string;
      destinationCurrency: string;
    };
    response: ConvertedAmount;
  };
  getTranslation: {
    query: {
      locale: "en" | "zh-Hant" | "zh" | "id" | "ms" | "fil" | "vi" | "th" | "ko" | "hi";
    };
    response: Translation;
  };
  uploadFile: {
    query: {
      fileName?: string | undefined;
    };
    body: Uint8Array;
    response: Upload;
  };
  getStatementFile: {
    query: {
      mode?: "live" | "sandbox" | undefined;
    };
    response: Uint8Array;
  };
  getExportFile: {
    query: {
      mode?: "live" | "sandbox" | undefined;
    };
    response: Uint8Array;
  };
};
