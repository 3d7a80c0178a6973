/** Written by `npm run schema` from the contracts of the service. */

export type Problem = {
  /** A URN that contains the error code. */
  type: string;
  /** A short text for the error code, which is the same for every occurrence. */
  title: string;
  /** The HTTP status of the response. */
  status: number;
  /** A human-readable explanation of this occurrence. Its wording may change. */
  detail: string;
  /** The machine-readable error code, which is stable and shared with GraphQL. Base your error handling on it. */
  code: string;
  /** The ID of the request. Include it when you ask for help. */
  requestId: string;
  /** The invalid parts of the input, at most 50. */
  errors?: Array<{
    /** A JSON pointer to the invalid part of the input. */
    path: string;
    /** The rule that the value at this path must satisfy. */
    message: string;
  }> | undefined;
};

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
  /** The URL of the page on which the customer enters bank details. Returned only while the status is `initiated`, to callers with the permission `refund`. */
  detailsUrl?: string | undefined;
  /** A time in ISO 8601 format, in UTC with milliseconds. With `?timestamps=epoch`, it is a number of epoch milliseconds. */
  createdAt: string;
  /** A time in ISO 8601 format, in UTC with milliseconds. With `?timestamps=epoch`, it is a number of epoch milliseconds. */
  updatedAt: string;
};

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
  /** The payment instructions for the customer. Show them unchanged. */
  destination: Destination;
  /** The refunds of the charge. */
  refunds: Array<{
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
    /** A time in ISO 8601 format, in UTC with milliseconds. With `?timestamps=epoch`, it is a number of epoch milliseconds. */
    createdAt: string;
    /** A time in ISO 8601 format, in UTC with milliseconds. With `?timestamps=epoch`, it is a number of epoch milliseconds. */
    updatedAt: string;
  }>;
  /** The order lines that the customer pays for. */
  orders: Order[];
  /** Your reference for the charge, which its notifications include. Omitted if there is none. */
  notifyPayload?: string | undefined;
  /** The callback URL that is notified when the charge completes. Omitted if there is none. */
  notifyUrl?: string | undefined;
  /** The ID of the session that the charge belongs to, `ses_…`. Omitted if there is none. */
  sessionId?: string | undefined;
  /** The ID of the subscription that the charge pays for, `sub_…`. Omitted if there is none. */
  subscriptionId?: string | undefined;
  /** A time in ISO 8601 format, in UTC with milliseconds. With `?timestamps=epoch`, it is a number of epoch milliseconds. */
  expiresAt: string;
  /** A time in ISO 8601 format, in UTC with milliseconds. With `?timestamps=epoch`, it is a number of epoch milliseconds. */
  createdAt: string;
  /** A time in ISO 8601 format, in UTC with milliseconds. With `?timestamps=epoch`, it is a number of epoch milliseconds. */
  updatedAt: string;
  /** Whether the charge is an equal charge that was already pending. If true, no new charge was created. Returned only when the charge is created. */
  isDuplicate?: boolean | undefined;
  /** The token with which your page in the customer’s browser can cancel the charge without an API key, sent as `?cancelToken=`. Returned only when the charge is created. */
  cancelToken?: string | undefined;
};

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
  /** The return URL, to which a button on the checkout page links. Omitted if there is none. */
  redirectUrl?: string | undefined;
  customer?: {
    /** The customer’s email address. */
    email?: string | undefined;
    /** The customer’s phone number, split into calling code and national number. */
    phone?: {
      /** The country calling code with a leading plus sign, such as `+852`. */
      code: string;
      /** The national number, without the country calling code. */
      phone: string;
    } | undefined;
    /** The customer’s first name, at most 100 characters. */
    firstName?: string | undefined;
    /** The customer’s last name, at most 100 characters. */
    lastName?: string | undefined;
    /** An alternative spelling of `firstName`. */
    first_name?: string | undefined;
    /** An alternative spelling of `lastName`. */
    last_name?: string | undefined;
  } | undefined;
  /** The time at which the session was created, in ISO 8601 format. */
  createdAt: string;
  /** The time at which the session was last updated, in ISO 8601 format. */
  updatedAt: string;
};

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
  /** The time at which the customer enrolled, in ISO 8601 format. */
  createdAt: string;
  /** The time at which the subscription was last updated, in ISO 8601 format. */
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

export type SubscriptionPlan = {
  /** The ID of the plan, `pl_…`. */
  id: string;
  /** The name that customers see. */
  name: string;
  /** The number of payments after which a subscription is completed. Omitted if subscriptions continue until they are cancelled. */
  numPayments?: number | undefined;
  /** The ISO 4217 code of the currency of the amounts. */
  currency: string;
  /** The amount and frequency of the recurring payment. */
  recurringPayment: {
    /** The amount of each payment, in the currency of the plan. */
    amount: number;
    /** The unit of the billing period: `days`, `months` or `years`. */
    period: string;
    /** The number of units in a billing period, from 1 to 400. */
    count: number;
  };
  /** The terms of the first payment. Omitted if they are the same as those of the recurring payment. */
  initialPayment?: {
    /** The amount of the first payment. It is zero if there is no first payment, and omitted if the first payment has the recurring amount. */
    amount?: number | undefined;
    /** The unit of the billing period: `days`, `months` or `years`. */
    period?: string | undefined;
    /** The number of units between the first and the second payment. Omitted if this time is one billing period. */
    count?: number | undefined;
  } | undefined;
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
  /** The status of the plan: `active` or `inactive`. */
  status: string;
  /** The time at which the plan was created, in ISO 8601 format. */
  createdAt: string;
  /** The time at which the plan was last updated, in ISO 8601 format. */
  updatedAt: string;
};

export type Pagination = {
  /** The number of pages in the list. */
  totalPages: number;
  /** The number of objects in the list, on all pages. */
  total: number;
  /** The number of this page, starting at 1. */
  currentPage: number;
};

export type CountryMethods = {
  /** The ISO 3166-1 code of the country in which customers use the payment methods. */
  country: string;
  /** The ISO 4217 code of the currency in which customers pay. */
  currency: string;
  /** The payment methods of the country with which you can receive payments. */
  methods: Array<{
    /** The code of the payment method, such as `fps`. */
    method: string;
    /** The highest maximum amount of a payment among your active accounts, in `currency`. */
    max: number;
    /** The name by which customers know the payment method. */
    name: string;
    /** The URL of an SVG logo, served by this service. */
    icon: string;
  }>;
};

export type TransferResult = {
  /** The bank’s own reference for the transfer, as provided in the request. */
  id: string;
  /** The status of the transfer: `matched`, `partial`, `over`, `exception` or `duplicate`, or `outgoing` for a debit. */
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
      page?: number | undefined;
      limit?: number | undefined;
    };
    response: {
      charges: Charge[];
      pagination: Pagination;
    };
  };
  createCharge: {
    body: {
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
      orders?: Array<{
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
      }> | undefined;
      /** Your reference for the charge, at most 4,096 characters. The notifications of the charge include it. */
      notifyPayload?: string | undefined;
      /** The callback URL that is notified when the charge completes. It must be an https URL; in the sandbox, http is allowed too. */
      notifyUrl?: string | undefined;
      /** The hash from `POST /charges/hash`. Required if secure mode is on. */
      hash?: string | undefined;
    };
    response: Charge;
  };
  getCharge: {
    response: Charge;
  };
  createChargeHash: {
    body: {
      /** The amount to charge, in major units of `merchantCurrency`. */
      merchantAmount: number;
      /** The ISO 4217 code of the currency of `merchantAmount`. */
      merchantCurrency: string;
      /** The order lines that you will send when you create the charge, unchanged. */
      orders?: Array<{
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
      }> | undefined;
      /** The `notifyPayload` of a `/checkout` URL that you build yourself. The hash of such a URL covers it. */
      notifyPayload?: string | undefined;
      /** The `notifyUrl` of a `/checkout` URL that you build yourself. The hash of such a URL covers it. */
      notifyUrl?: string | undefined;
    };
    response: string;
  };
  completeSandboxCharge: {
    response: Charge;
  };
  cancelCharge: {
    query: {
      cancelToken?: string | undefined;
    };
    response: true;
  };
  createSession: {
    body: {
      /** The amount to charge, in major units of `currency`. */
      amount: number;
      /** The ISO 4217 code of the currency of `amount`. */
      currency: string;
      /** The order lines that the customer pays for, at most 100. */
      orders?: Array<{
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
      }> | undefined;
      /** The codes of the payment methods to offer. If empty or omitted, all of your methods are offered. */
      methods?: string[] | undefined;
      /** The callback URL that is notified when the charge completes. It must be an https URL; in the sandbox, http is allowed too. */
      notifyUrl?: string | undefined;
      /** Your reference for the charge, at most 4,096 characters. The notifications of the charge include it. */
      notifyPayload?: string | undefined;
      /** The return URL, to which a button on the checkout page links. It must be an https URL or use one of the URL schemes in your settings; in the sandbox, http is allowed too. */
      redirectUrl?: string | undefined;
      customer?: {
        /** The customer’s email address. */
        email?: string | undefined;
        /** The customer’s phone number, split into calling code and national number. */
        phone?: {
          /** The country calling code with a leading plus sign, such as `+852`. */
          code: string;
          /** The national number, without the country calling code. */
          phone: string;
        } | undefined;
        /** The customer’s first name, at most 100 characters. */
        firstName?: string | undefined;
        /** The customer’s last name, at most 100 characters. */
        lastName?: string | undefined;
        /** An alternative spelling of `firstName`. */
        first_name?: string | undefined;
        /** An alternative spelling of `lastName`. */
        last_name?: string | undefined;
      } | undefined;
    };
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
      page?: number | undefined;
      limit?: number | undefined;
    };
    response: {
      refunds: Refund[];
      pagination: Pagination;
    };
  };
  createRefund: {
    body: {
      /** The ID of a completed charge, `ch_…`. */
      chargeId: string;
      /** The amount to refund, in the `customerCurrency` of the charge. */
      customerAmount: number;
    };
    response: Refund;
  };
  getRefund: {
    response: Refund;
  };
  createCheckoutLink: {
    body: {
      /** The amount to charge, in major units of `currency`. */
      amount: number;
      /** The ISO 4217 code of the currency of `amount`. */
      currency: string;
      /** Your publishable key (`pk_…`) of the same mode as the API key. The API key itself (`ck_…`, without its secret) is accepted, too. */
      apiKey: string;
      /** The order lines that the customer pays for, at most 100. */
      orders?: Array<{
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
      }> | undefined;
      /** The payment methods to offer, as a list of codes for each country code. An empty list offers all of your methods in that country. Countries that are not listed are not offered. If the field is omitted, all of your methods are offered. */
      paymentMethods?: Record<string, string[]> | undefined;
      /** Your reference for the charge, at most 4,096 characters. The notifications of the charge include it. */
      notifyPayload?: string | undefined;
      /** The return URL, to which a button on the checkout page links. It must be an https URL or use one of the URL schemes in your settings; in the sandbox, http is allowed too. */
      redirectUrl?: string | undefined;
      customer?: {
        /** The customer’s email address. */
        email?: string | undefined;
        /** The customer’s phone number, split into calling code and national number. */
        phone?: {
          /** The country calling code with a leading plus sign, such as `+852`. */
          code: string;
          /** The national number, without the country calling code. */
          phone: string;
        } | undefined;
        /** The customer’s first name, at most 100 characters. */
        firstName?: string | undefined;
        /** The customer’s last name, at most 100 characters. */
        lastName?: string | undefined;
        /** An alternative spelling of `firstName`. */
        first_name?: string | undefined;
        /** An alternative spelling of `lastName`. */
        last_name?: string | undefined;
      } | undefined;
    };
    response: {
      /** The URL of the payment page, to which you send customers. */
      checkoutLink: string;
    };
  };
  createSubscriptionLink: {
    body: {
      /** The ID of the plan, `pl_…`. */
      subscriptionPlanId: string;
      /** Your publishable key (`pk_…`) of the same mode as the API key. The API key itself (`ck_…`, without its secret) is accepted, too. */
      apiKey?: string | undefined;
      customer?: {
        /** The customer’s email address. */
        email?: string | undefined;
        /** The customer’s phone number, split into calling code and national number. */
        phone?: {
          /** The country calling code with a leading plus sign, such as `+852`. */
          code: string;
          /** The national number, without the country calling code. */
          phone: string;
        } | undefined;
        /** The customer’s first name, at most 100 characters. */
        firstName?: string | undefined;
        /** The customer’s last name, at most 100 characters. */
        lastName?: string | undefined;
        /** An alternative spelling of `firstName`. */
        first_name?: string | undefined;
        /** An alternative spelling of `lastName`. */
        last_name?: string | undefined;
      } | undefined;
      /** The payment methods to offer, as a list of codes for each country code. An empty list offers all methods of the plan in that country. Countries that are not listed are not offered. If the field is omitted, all methods of the plan are offered. */
      paymentMethods?: Record<string, string[]> | undefined;
      /** Your reference, which is copied to each charge of the subscriptions that are created with the link. */
      notifyPayload?: string | undefined;
      /** The return URL, to which a button on the customer’s payment pages links. It must be an https URL or use one of the URL schemes in your settings; in the sandbox, http is allowed too. */
      redirectUrl?: string | undefined;
    };
    response: {
      /** The URL of the enrolment page, to which you send customers. */
      subscriptionLink: string;
    };
  };
  listSubscriptions: {
    query: {
      startDate?: string | undefined;
      endDate?: string | undefined;
      subscriptionPlanId?: string | undefined;
      customerCurrency?: string | undefined;
      customerEmail?: string | undefined;
      customerPhone?: string | undefined;
      page?: number | undefined;
      limit?: number | undefined;
    };
    response: {
      subscriptions: Subscription[];
      pagination: Pagination;
    };
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
    response: {
      subscriptionPlans: SubscriptionPlan[];
      pagination: Pagination;
    };
  };
  getSubscriptionPlan: {
    response: SubscriptionPlan;
  };
  recordTransfers: {
    body: {
      transfers: unknown[];
    };
    response: {
      transfers: TransferResult[];
    };
  };
  requestPhoneVerification: {
    body: {
      phone: {
        /** The country calling code with a leading plus sign, such as `+852`. */
        code: string;
        /** The national number, without the country calling code. */
        phone: string;
      };
      /** The language of the SMS. If omitted, it is the language of the phone number’s country or, if that language is not supported, English. */
      locale?: "en" | "zh-Hant" | "zh" | "id" | "ms" | "fil" | "vi" | "th" | "ko" | "hi" | undefined;
    };
    response: {
      /** Whether the code was created. The value is always true, because problems are returned as errors. */
      isSuccess: boolean;
    };
  };
  verifyPhone: {
    body: {
      phone: {
        /** The country calling code with a leading plus sign, such as `+852`. */
        code: string;
        /** The national number, without the country calling code. */
        phone: string;
      };
      /** The one-time password that the customer entered. */
      code: string;
    };
    response: {
      /** The code to pass to `POST /charges`. It can be used for one charge within 5 minutes. */
      verificationCode: string;
    };
  };
  listMethods: {
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
    response: {
      /** The converted amount, in the destination currency. */
      amount: number;
      /** The number of units of the destination currency for one unit of the source currency. */
      rate: number;
    };
  };
  getTranslation: {
    query: {
      locale: "en" | "zh-Hant" | "zh" | "id" | "ms" | "fil" | "vi" | "th" | "ko" | "hi";
    };
    response: {
      /** The strings, as nested objects. */
      translation: Record<string, unknown>;
    };
  };
  uploadFile: {
    query: {
      fileName?: string | undefined;
    };
    body: Uint8Array;
    response: {
      /** The ID of the upload, `up_…`, which you pass to `importStatement` (GraphQL). */
      uploadId: string;
      /** The number of bytes received. */
      size: number;
      /** The SHA-256 hash of the file, in hexadecimal. */
      sha256: string;
    };
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
