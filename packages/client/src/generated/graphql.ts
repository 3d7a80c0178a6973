/** Written by `npm run schema` from the contracts of the service. */

export type AcceptInvitationInput = {
  name: string;
  password: string;
  token: string;
};

export type AcceptInvitationResult =
  | AcceptInvitationSuccess
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError;

export type AcceptInvitationSuccess = {
  __typename: 'AcceptInvitationSuccess';
  viewer: Viewer;
};

export type AcceptShortfallInput = {
  id: ID;
};

export type AcceptShortfallResult =
  | AcceptShortfallSuccess
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError;

export type AcceptShortfallSuccess = {
  __typename: 'AcceptShortfallSuccess';
  charge: Charge;
};

export type Actor = {
  __typename: 'Actor';
  kind: ActorKind;
  name: string | null;
  objectId: ID | null;
};

export type ActorKind =
  | 'api_key'
  | 'customer'
  | 'job'
  | 'operator'
  | 'user';

export type AdvanceTestClockInput = {
  advanceTo: DateTime;
};

export type AdvanceTestClockResult =
  | AdvanceTestClockSuccess
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError;

export type AdvanceTestClockSuccess = {
  __typename: 'AdvanceTestClockSuccess';
  testClock: TestClock;
};

export type Alert = {
  __typename: 'Alert';
  bankFeed: BankFeed | null;
  createdAt: DateTime;
  detail: string;
  dismissedAt: DateTime | null;
  id: ID;
  kind: AlertKind;
  notification: Notification | null;
  receivingAccount: ReceivingAccount | null;
  url: string;
  webhook: Webhook | null;
};

export type AlertConnection = {
  __typename: 'AlertConnection';
  edges: Array<AlertEdge>;
  nodes: Array<Alert>;
  pageInfo: PageInfo;
  totalCount: Int;
};

export type AlertEdge = {
  __typename: 'AlertEdge';
  cursor: string;
  node: Alert;
};

export type AlertFilter = {
  isDismissed?: boolean | null | undefined;
};

export type AlertKind =
  | 'delivery_failed'
  | 'endpoint_failing'
  | 'endpoint_recovered'
  | 'feed_failing'
  | 'feed_late'
  | 'references_low'
  | 'webhook_disabled';

export type Allocation = {
  __typename: 'Allocation';
  actor: Actor;
  amount: Decimal;
  charge: Charge | null;
  createdAt: DateTime;
  feeAmount: Decimal;
  id: ID;
  note: string | null;
  reason: AllocationReason;
  refund: Refund | null;
  transfer: Transfer;
};

export type AllocationReason =
  | 'assigned'
  | 'charge_cancelled'
  | 'charge_expired'
  | 'dismissed'
  | 'ignored'
  | 'matched'
  | 'payout_returned'
  | 'returned'
  | 'reversal_undone'
  | 'reversed'
  | 'shortfall_accepted'
  | 'statement_undone'
  | 'unassigned';

export type AmountRangeInput = {
  currency: CurrencyCode;
  max?: Decimal | null | undefined;
  min?: Decimal | null | undefined;
};

export type ApiKey = {
  __typename: 'ApiKey';
  allowedOrigins: Array<string>;
  createdAt: DateTime;
  expiresAt: DateTime | null;
  id: ID;
  key: string;
  kind: ApiKeyKind;
  lastUsedAt: DateTime | null;
  mode: Mode;
  name: string;
  permissions: Array<Permission>;
  replacedBy: ApiKey | null;
  revokedAt: DateTime | null;
  status: ApiKeyStatus;
};

export type ApiKeyConnection = {
  __typename: 'ApiKeyConnection';
  edges: Array<ApiKeyEdge>;
  nodes: Array<ApiKey>;
  pageInfo: PageInfo;
  totalCount: Int;
};

export type ApiKeyEdge = {
  __typename: 'ApiKeyEdge';
  cursor: string;
  node: ApiKey;
};

export type ApiKeyKind =
  | 'publishable'
  | 'secret';

export type ApiKeyStatus =
  | 'active'
  | 'expired'
  | 'expiring'
  | 'revoked';

export type AppLink = {
  __typename: 'AppLink';
  name: string | null;
  url: string;
};

export type AssignTransferInput = {
  acceptShortfall?: boolean | null | undefined;
  chargeId: ID;
  id: ID;
  note?: string | null | undefined;
};

export type AssignTransferResult =
  | AssignTransferSuccess
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError;

export type AssignTransferSuccess = {
  __typename: 'AssignTransferSuccess';
  charge: Charge;
  transfer: Transfer;
};

export type AuBankTransferDetailsInput = {
  abn?: string | null | undefined;
  account?: string | null | undefined;
  bank?: string | null | undefined;
  bsb?: string | null | undefined;
  email?: string | null | undefined;
  mobile?: string | null | undefined;
};

export type AuditEntry = {
  __typename: 'AuditEntry';
  action: string;
  actor: Actor;
  createdAt: DateTime;
  detailsJson: string;
  id: ID;
  ipAddress: string | null;
  mode: Mode | null;
  objectId: ID | null;
};

export type AuditEntryConnection = {
  __typename: 'AuditEntryConnection';
  edges: Array<AuditEntryEdge>;
  nodes: Array<AuditEntry>;
  pageInfo: PageInfo;
  totalCount: Int;
};

export type AuditEntryEdge = {
  __typename: 'AuditEntryEdge';
  cursor: string;
  node: AuditEntry;
};

export type AuditEntryFilter = {
  actions?: Array<string> | null | undefined;
  actorId?: ID | null | undefined;
  actorKind?: ActorKind | null | undefined;
  createdFrom?: DateTime | null | undefined;
  createdTo?: DateTime | null | undefined;
  objectId?: ID | null | undefined;
};

export type BankFeed = {
  __typename: 'BankFeed';
  allowedAddresses: Array<string>;
  apiUrl: string | null;
  authentication: string;
  confirmedAt: DateTime | null;
  consecutiveFailureCount: Int;
  createdAt: DateTime;
  customFormatJson: string | null;
  evidence: BankFeedEvidence;
  failedDeliveryCount: Int;
  failingSince: DateTime | null;
  id: ID;
  kind: BankFeedKind;
  lastError: string | null;
  lastSuccessAt: DateTime | null;
  lastTransferAt: DateTime | null;
  lateSince: DateTime | null;
  name: string;
  pull: BankFeedPull | null;
  receivingAccounts: Array<BankFeedAccount>;
  signedPath: string | null;
  silenceMinutes: Int | null;
  status: BankFeedStatus;
  trust: BankFeedTrust;
  updatedAt: DateTime;
  url: string;
};

export type BankFeedAccount = {
  __typename: 'BankFeedAccount';
  bankAccount: string | null;
  receivingAccount: ReceivingAccount;
};

export type BankFeedAccountInput = {
  bankAccount?: string | null | undefined;
  receivingAccountId: ID;
};

export type BankFeedConnection = {
  __typename: 'BankFeedConnection';
  edges: Array<BankFeedEdge>;
  nodes: Array<BankFeed>;
  pageInfo: PageInfo;
  totalCount: Int;
};

export type BankFeedEdge = {
  __typename: 'BankFeedEdge';
  cursor: string;
  node: BankFeed;
};

export type BankFeedEvidence =
  | 'documented'
  | 'unverified'
  | 'verified';

export type BankFeedFilter = {
  receivingAccountId?: ID | null | undefined;
};

export type BankFeedKind =
  | 'airwallex'
  | 'akahu'
  | 'anz'
  | 'casso_v1'
  | 'casso_v2'
  | 'custom'
  | 'folder'
  | 'monoova'
  | 'popbill'
  | 'scb'
  | 'sepay'
  | 'sftp'
  | 'snap'
  | 'wise';

export type BankFeedPull = {
  __typename: 'BankFeedPull';
  archivesFiles: boolean;
  folder: string | null;
  host: string | null;
  hostKeyFingerprint: string | null;
  intervalMinutes: Int;
  lastPollAt: DateTime | null;
  nextPollAt: DateTime | null;
  patterns: Array<string>;
  port: Int | null;
  presentedHostKeyFingerprint: string | null;
  providerAccountId: string | null;
};

export type BankFeedPullInput = {
  archivesFiles?: boolean | null | undefined;
  folder?: string | null | undefined;
  host?: string | null | undefined;
  hostKeyFingerprint?: string | null | undefined;
  intervalMinutes?: Int | null | undefined;
  patterns?: Array<string> | null | undefined;
  port?: Int | null | undefined;
  providerAccountId?: string | null | undefined;
};

export type BankFeedStatus =
  | 'connected'
  | 'failing'
  | 'late'
  | 'new'
  | 'paused';

export type BankFeedTrust =
  | 'connection'
  | 'key'
  | 'none'
  | 'signature';

export type BeginTwoFactorSetupInput = {
  code?: string | null | undefined;
  password: string;
};

export type BeginTwoFactorSetupResult =
  | BeginTwoFactorSetupSuccess
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError;

export type BeginTwoFactorSetupSuccess = {
  __typename: 'BeginTwoFactorSetupSuccess';
  otpauthUri: string;
  secret: string;
};

export type BigInt = string;

export type BookGrouping =
  | 'day'
  | 'month'
  | 'period';

export type BookTotals = {
  __typename: 'BookTotals';
  chargeCount: Int;
  currency: CurrencyCode;
  depositAmount: Decimal;
  feeAmount: Decimal;
  netAmount: Decimal;
  otherIncomeAmount: Decimal;
  refundedAmount: Decimal;
  returnedAmount: Decimal;
  salesAmount: Decimal;
  startDate: Date;
  unmatchedAmount: Decimal;
};

export type CancelChargeInput = {
  id: ID;
};

export type CancelChargeResult =
  | CancelChargeSuccess
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError;

export type CancelChargeSuccess = {
  __typename: 'CancelChargeSuccess';
  charge: Charge;
};

export type CancelCounterSaleInput = {
  id: ID;
};

export type CancelCounterSaleResult =
  | CancelCounterSaleSuccess
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError;

export type CancelCounterSaleSuccess = {
  __typename: 'CancelCounterSaleSuccess';
  counterSale: CounterSale;
};

export type CancelRefundInput = {
  id: ID;
};

export type CancelRefundResult =
  | CancelRefundSuccess
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError;

export type CancelRefundSuccess = {
  __typename: 'CancelRefundSuccess';
  refund: Refund;
};

export type CancelSessionInput = {
  id: ID;
};

export type CancelSessionResult =
  | CancelSessionSuccess
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError;

export type CancelSessionSuccess = {
  __typename: 'CancelSessionSuccess';
  session: CheckoutSession;
};

export type CancelStatementInput = {
  id: ID;
};

export type CancelStatementResult =
  | CancelStatementSuccess
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError;

export type CancelStatementSuccess = {
  __typename: 'CancelStatementSuccess';
  statement: Statement;
};

export type CancelSubscriptionInput = {
  id: ID;
};

export type CancelSubscriptionResult =
  | CancelSubscriptionSuccess
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError;

export type CancelSubscriptionSuccess = {
  __typename: 'CancelSubscriptionSuccess';
  subscription: SubscriptionContract;
};

export type Certificate = {
  __typename: 'Certificate';
  createdAt: DateTime;
  fingerprint: string;
  id: ID;
  mode: Mode;
  publicKey: string;
  revokedAt: DateTime | null;
  signsFrom: DateTime;
  status: CertificateStatus;
};

export type CertificateConnection = {
  __typename: 'CertificateConnection';
  edges: Array<CertificateEdge>;
  nodes: Array<Certificate>;
  pageInfo: PageInfo;
  totalCount: Int;
};

export type CertificateEdge = {
  __typename: 'CertificateEdge';
  cursor: string;
  node: Certificate;
};

export type CertificateStatus =
  | 'revoked'
  | 'signing'
  | 'upcoming'
  | 'verifying';

export type ChangeEmailInput = {
  code?: string | null | undefined;
  email: string;
  password: string;
};

export type ChangeEmailResult =
  | ChangeEmailSuccess
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError;

export type ChangeEmailSuccess = {
  __typename: 'ChangeEmailSuccess';
  viewer: Viewer;
};

export type ChangePasswordInput = {
  code?: string | null | undefined;
  newPassword: string;
  password: string;
};

export type ChangePasswordResult =
  | ChangePasswordSuccess
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError;

export type ChangePasswordSuccess = {
  __typename: 'ChangePasswordSuccess';
  viewer: Viewer;
};

export type ChangeSubscriptionMethodInput = {
  id: ID;
  method: PaymentMethodCode;
};

export type ChangeSubscriptionMethodResult =
  | ChangeSubscriptionMethodSuccess
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError;

export type ChangeSubscriptionMethodSuccess = {
  __typename: 'ChangeSubscriptionMethodSuccess';
  subscription: SubscriptionContract;
};

export type ChangeSubscriptionTermsInput = {
  amount?: Decimal | null | undefined;
  id: ID;
  subscriptionPlanId?: ID | null | undefined;
};

export type ChangeSubscriptionTermsResult =
  | ChangeSubscriptionTermsSuccess
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError;

export type ChangeSubscriptionTermsSuccess = {
  __typename: 'ChangeSubscriptionTermsSuccess';
  subscription: SubscriptionContract;
};

export type Charge = {
  __typename: 'Charge';
  allocations: Array<Allocation> | null;
  amountDifference: Decimal;
  amountOffset: Decimal | null;
  amountReceived: Decimal;
  amountRefundable: Decimal | null;
  amountReleased: Decimal;
  checkoutLink: CheckoutLink | null;
  completedAt: DateTime | null;
  createdAt: DateTime;
  customer: Customer | null;
  customerAmount: Decimal;
  customerCurrency: CurrencyCode;
  destination: Destination;
  email: string | null;
  events: Array<Event> | null;
  exchangeRate: ChargeExchangeRate;
  expiresAt: DateTime;
  feeAmount: Decimal;
  firstName: string | null;
  hasLatePayment: boolean | null;
  hasOrderMismatch: boolean | null;
  id: ID;
  invoice: Invoice | null;
  lastName: string | null;
  merchantAmount: Decimal;
  merchantCurrency: CurrencyCode;
  metadata: Array<MetadataEntry> | null;
  method: PaymentMethodCode;
  note: string | null;
  notifications: Array<Notification> | null;
  notifyPayload: string | null;
  notifyUrl: string | null;
  orders: Array<Order>;
  outstanding: OutstandingPayment | null;
  outstandingMessage: string | null;
  paymentState: PaymentState;
  paymentUrl: string | null;
  phone: string | null;
  qrPngUrl: string | null;
  qrSvgUrl: string | null;
  receiptUrl: string | null;
  receivingAccount: ReceivingAccount | null;
  redirectUrl: string | null;
  refunds: Array<Refund>;
  replacesId: ID | null;
  sellerId: ID | null;
  sellerName: string | null;
  session: CheckoutSession | null;
  status: ChargeStatus;
  subscription: SubscriptionContract | null;
  transfers: Array<Transfer> | null;
  updatedAt: DateTime;
};

export type ChargeConnection = {
  __typename: 'ChargeConnection';
  edges: Array<ChargeEdge>;
  nodes: Array<Charge>;
  pageInfo: PageInfo;
  totalCount: Int;
};

export type ChargeEdge = {
  __typename: 'ChargeEdge';
  cursor: string;
  node: Charge;
};

export type ChargeEventPayload = {
  __typename: 'ChargeEventPayload';
  amountReceived: Decimal | null;
  chargeId: ID | null;
  chargeStatus: ChargeStatus | null;
  customerAmount: Decimal | null;
  customerCurrency: CurrencyCode | null;
  merchantAmount: Decimal | null;
  merchantCurrency: CurrencyCode | null;
  metadata: Array<MetadataEntry> | null;
  method: PaymentMethodCode | null;
  notifyPayload: string | null;
  orders: Array<Order> | null;
  sessionId: ID | null;
  subscriptionId: ID | null;
};

export type ChargeExchangeRate = {
  __typename: 'ChargeExchangeRate';
  effectiveAt: DateTime;
  rate: Decimal;
  source: string;
};

export type ChargeFilter = {
  checkoutLinkId?: ID | null | undefined;
  createdFrom?: DateTime | null | undefined;
  createdTo?: DateTime | null | undefined;
  customerCurrency?: CurrencyCode | null | undefined;
  customerEmail?: string | null | undefined;
  customerPhone?: string | null | undefined;
  isPartlyPaid?: boolean | null | undefined;
  merchantAmount?: AmountRangeInput | null | undefined;
  metadata?: MetadataEntryInput | null | undefined;
  method?: PaymentMethodCode | null | undefined;
  notifyPayload?: string | null | undefined;
  receivingAccountId?: ID | null | undefined;
  search?: string | null | undefined;
  sellerId?: ID | null | undefined;
  statuses?: Array<ChargeStatus> | null | undefined;
};

export type ChargeSessionInput = {
  email?: string | null | undefined;
  id: ID;
  locale?: Locale | null | undefined;
  method: PaymentMethodCode;
};

export type ChargeSessionResult =
  | ChargeSessionSuccess
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError;

export type ChargeSessionSuccess = {
  __typename: 'ChargeSessionSuccess';
  charge: Charge;
};

export type ChargeStatus =
  | 'cancelled'
  | 'completed'
  | 'expired'
  | 'pending';

export type CheckoutLink = {
  __typename: 'CheckoutLink';
  amount: Decimal;
  closedAt: DateTime | null;
  createdAt: DateTime;
  currency: CurrencyCode;
  customAmount: CustomAmount | null;
  customer: CustomerDetails | null;
  expiresAt: DateTime | null;
  hasOrderMismatch: boolean;
  id: ID;
  isExpired: boolean;
  metadata: Array<MetadataEntry> | null;
  name: string | null;
  notifyPayload: string | null;
  orders: Array<Order>;
  paidCount: Int;
  redirectUrl: string | null;
  selectedMethods: Array<PaymentMethodCode>;
  share: SharedLink;
  url: string;
  usageCount: Int;
  usageLimit: Int | null;
};

export type CheckoutLinkConnection = {
  __typename: 'CheckoutLinkConnection';
  edges: Array<CheckoutLinkEdge>;
  nodes: Array<CheckoutLink>;
  pageInfo: PageInfo;
  totalCount: Int;
};

export type CheckoutLinkEdge = {
  __typename: 'CheckoutLinkEdge';
  cursor: string;
  node: CheckoutLink;
};

export type CheckoutSession = {
  __typename: 'CheckoutSession';
  amount: Decimal;
  cancelUrl: string | null;
  charge: Charge | null;
  checkoutUrl: string;
  createdAt: DateTime;
  currency: CurrencyCode;
  customer: CustomerDetails | null;
  expiresAt: DateTime;
  hasOrderMismatch: boolean | null;
  id: ID;
  locale: Locale | null;
  merchantName: string;
  metadata: Array<MetadataEntry> | null;
  methods: Array<PaymentMethodCode>;
  mode: Mode;
  notifyPayload: string | null;
  notifyUrl: string | null;
  offers: Array<SessionOffer> | null;
  orders: Array<Order>;
  redirectUrl: string | null;
  status: SessionStatus;
  updatedAt: DateTime;
};

export type CheckoutSessionConnection = {
  __typename: 'CheckoutSessionConnection';
  edges: Array<CheckoutSessionEdge>;
  nodes: Array<CheckoutSession>;
  pageInfo: PageInfo;
  totalCount: Int;
};

export type CheckoutSessionEdge = {
  __typename: 'CheckoutSessionEdge';
  cursor: string;
  node: CheckoutSession;
};

export type ChooseCounterSaleMethodInput = {
  id: ID;
  method: PaymentMethodCode;
};

export type ChooseCounterSaleMethodResult =
  | ChooseCounterSaleMethodSuccess
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError;

export type ChooseCounterSaleMethodSuccess = {
  __typename: 'ChooseCounterSaleMethodSuccess';
  counterSale: CounterSale;
};

export type CloseCheckoutLinkInput = {
  id: ID;
};

export type CloseCheckoutLinkResult =
  | CloseCheckoutLinkSuccess
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError;

export type CloseCheckoutLinkSuccess = {
  __typename: 'CloseCheckoutLinkSuccess';
  checkoutLink: CheckoutLink;
};

export type CollectedAmount = {
  __typename: 'CollectedAmount';
  amount: Decimal;
  chargeCount: Int;
  currency: CurrencyCode;
};

export type CollectedAmountByMethod = {
  __typename: 'CollectedAmountByMethod';
  amount: Decimal;
  chargeCount: Int;
  currency: CurrencyCode;
  method: PaymentMethodCode;
};

export type CompleteRefundInput = {
  id: ID;
};

export type CompleteRefundResult =
  | CompleteRefundSuccess
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError;

export type CompleteRefundSuccess = {
  __typename: 'CompleteRefundSuccess';
  refund: Refund;
};

export type CompleteSandboxChargeInput = {
  id: ID;
};

export type CompleteSandboxChargeResult =
  | CompleteSandboxChargeSuccess
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError;

export type CompleteSandboxChargeSuccess = {
  __typename: 'CompleteSandboxChargeSuccess';
  charge: Charge;
};

export type ConfirmBankFeedInput = {
  deliveryId: ID;
  id: ID;
};

export type ConfirmBankFeedResult =
  | ConfirmBankFeedSuccess
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError;

export type ConfirmBankFeedSuccess = {
  __typename: 'ConfirmBankFeedSuccess';
  bankFeed: BankFeed;
};

export type ConfirmEmailChangeInput = {
  token: string;
};

export type ConfirmEmailChangeResult =
  | ConfirmEmailChangeSuccess
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError;

export type ConfirmEmailChangeSuccess = {
  __typename: 'ConfirmEmailChangeSuccess';
  viewer: Viewer;
};

export type ConfirmStatementInput = {
  id: ID;
};

export type ConfirmStatementResult =
  | ConfirmStatementSuccess
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError;

export type ConfirmStatementSuccess = {
  __typename: 'ConfirmStatementSuccess';
  statement: Statement;
};

export type ConfirmTwoFactorSetupInput = {
  code: string;
};

export type ConfirmTwoFactorSetupResult =
  | ConfirmTwoFactorSetupSuccess
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError;

export type ConfirmTwoFactorSetupSuccess = {
  __typename: 'ConfirmTwoFactorSetupSuccess';
  recoveryCodes: Array<string>;
  viewer: Viewer;
};

export type ConflictError = {
  __typename: 'ConflictError';
  code: ErrorCode;
  message: string;
};

export type CounterItem = {
  __typename: 'CounterItem';
  amount: Decimal;
  checkoutLinkId: ID;
  currency: CurrencyCode;
  name: string;
};

export type CounterSale = {
  __typename: 'CounterSale';
  amount: Decimal;
  checkoutUrl: string;
  createdAt: DateTime;
  currency: CurrencyCode;
  hasPaymentReports: boolean | null;
  itemName: string | null;
  method: PaymentMethodCode | null;
  methodName: string | null;
  offers: Array<SessionOffer>;
  paidAt: DateTime | null;
  payment: OutstandingPayment | null;
  receivingAccountId: ID | null;
  sessionId: ID;
  status: CounterSaleStatus;
};

export type CounterSaleStatus =
  | 'cancelled'
  | 'expired'
  | 'open'
  | 'paid'
  | 'paying';

export type CountryCode = string;

export type CreateApiKeyInput = {
  allowedOrigins?: Array<string> | null | undefined;
  kind: ApiKeyKind;
  name: string;
  permissions?: Array<Permission> | null | undefined;
};

export type CreateApiKeyResult =
  | ConflictError
  | CreateApiKeySuccess
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError;

export type CreateApiKeySuccess = {
  __typename: 'CreateApiKeySuccess';
  apiKey: ApiKey;
  secret: string | null;
};

export type CreateBankFeedInput = {
  allowedAddresses?: Array<string> | null | undefined;
  apiUrl?: string | null | undefined;
  authentication?: string | null | undefined;
  credentials?: FeedCredentialsInput | null | undefined;
  customFormatJson?: string | null | undefined;
  kind: BankFeedKind;
  name?: string | null | undefined;
  pull?: BankFeedPullInput | null | undefined;
  receivingAccounts: Array<BankFeedAccountInput>;
  signedPath?: string | null | undefined;
  silenceMinutes?: Int | null | undefined;
};

export type CreateBankFeedResult =
  | ConflictError
  | CreateBankFeedSuccess
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError;

export type CreateBankFeedSuccess = {
  __typename: 'CreateBankFeedSuccess';
  bankFeed: BankFeed;
};

export type CreateCertificateInput = {
  signsFrom?: DateTime | null | undefined;
};

export type CreateCertificateResult =
  | ConflictError
  | CreateCertificateSuccess
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError;

export type CreateCertificateSuccess = {
  __typename: 'CreateCertificateSuccess';
  certificate: Certificate;
};

export type CreateChargeForTransferInput = {
  email?: string | null | undefined;
  firstName?: string | null | undefined;
  id: ID;
  lastName?: string | null | undefined;
  note?: string | null | undefined;
  notifyPayload?: string | null | undefined;
  orderName?: string | null | undefined;
};

export type CreateChargeForTransferResult =
  | ConflictError
  | CreateChargeForTransferSuccess
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError;

export type CreateChargeForTransferSuccess = {
  __typename: 'CreateChargeForTransferSuccess';
  charge: Charge;
  transfer: Transfer;
};

export type CreateChargeHashInput = {
  merchantAmount: Decimal;
  merchantCurrency: CurrencyCode;
  notifyPayload?: string | null | undefined;
  notifyUrl?: string | null | undefined;
  orders?: Array<OrderInput> | null | undefined;
};

export type CreateChargeHashResult =
  | ConflictError
  | CreateChargeHashSuccess
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError;

export type CreateChargeHashSuccess = {
  __typename: 'CreateChargeHashSuccess';
  hash: string;
};

export type CreateChargeInput = {
  email?: string | null | undefined;
  hash?: string | null | undefined;
  merchantAmount: Decimal;
  merchantCurrency: CurrencyCode;
  metadata?: Array<MetadataEntryInput> | null | undefined;
  method: PaymentMethodCode;
  notifyPayload?: string | null | undefined;
  notifyUrl?: string | null | undefined;
  orders?: Array<OrderInput> | null | undefined;
  verificationCode?: string | null | undefined;
};

export type CreateChargeResult =
  | ConflictError
  | CreateChargeSuccess
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError;

export type CreateChargeSuccess = {
  __typename: 'CreateChargeSuccess';
  cancelToken: string;
  charge: Charge;
  clientToken: string;
  isDuplicate: boolean;
};

export type CreateCheckoutLinkInput = {
  amount?: Decimal | null | undefined;
  currency: CurrencyCode;
  customAmount?: CustomAmountInput | null | undefined;
  customer?: CustomerInput | null | undefined;
  expiresAt?: DateTime | null | undefined;
  metadata?: Array<MetadataEntryInput> | null | undefined;
  methods?: Array<PaymentMethodCode> | null | undefined;
  name?: string | null | undefined;
  notifyPayload?: string | null | undefined;
  orders?: Array<OrderInput> | null | undefined;
  redirectUrl?: string | null | undefined;
  usageLimit?: Int | null | undefined;
};

export type CreateCheckoutLinkResult =
  | ConflictError
  | CreateCheckoutLinkSuccess
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError;

export type CreateCheckoutLinkSuccess = {
  __typename: 'CreateCheckoutLinkSuccess';
  checkoutLink: CheckoutLink;
};

export type CreateCounterSaleInput = {
  amount?: Decimal | null | undefined;
  currency?: CurrencyCode | null | undefined;
  itemId?: ID | null | undefined;
};

export type CreateCounterSaleResult =
  | ConflictError
  | CreateCounterSaleSuccess
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError;

export type CreateCounterSaleSuccess = {
  __typename: 'CreateCounterSaleSuccess';
  counterSale: CounterSale;
};

export type CreateExportInput = {
  chargeFilter?: ChargeFilter | null | undefined;
  customerFilter?: CustomerFilter | null | undefined;
  endDate?: Date | null | undefined;
  format?: ExportFormat | null | undefined;
  includeByteOrderMark?: boolean | null | undefined;
  includeExported?: boolean | null | undefined;
  kind: ExportKind;
  payingAccountId?: ID | null | undefined;
  refundFilter?: RefundFilter | null | undefined;
  refundIds?: Array<ID> | null | undefined;
  reverse?: boolean | null | undefined;
  startDate?: Date | null | undefined;
  transferFilter?: TransferFilter | null | undefined;
  xero?: XeroJournalInput | null | undefined;
};

export type CreateExportResult =
  | ConflictError
  | CreateExportSuccess
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError;

export type CreateExportSuccess = {
  __typename: 'CreateExportSuccess';
  export: Export;
};

export type CreateIgnoreRuleInput = {
  dismissUnmatched?: boolean | null | undefined;
  receivingAccountId: ID;
  text: string;
};

export type CreateIgnoreRuleResult =
  | ConflictError
  | CreateIgnoreRuleSuccess
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError;

export type CreateIgnoreRuleSuccess = {
  __typename: 'CreateIgnoreRuleSuccess';
  dismissedCount: Int;
  receivingAccount: ReceivingAccount;
};

export type CreateMerchantInput = {
  name: string;
  ownerEmail: string;
};

export type CreateMerchantResult =
  | ConflictError
  | CreateMerchantSuccess
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError;

export type CreateMerchantSuccess = {
  __typename: 'CreateMerchantSuccess';
  invitationUrl: string | null;
  merchant: Merchant;
};

export type CreateReceivingAccountInput = {
  accountName: string;
  bank?: string | null | undefined;
  currency?: CurrencyCode | null | undefined;
  details: ReceivingAccountDetailsInput;
  maxAmount?: Decimal | null | undefined;
  maxAmountOffset?: Int | null | undefined;
  maxBankFee?: Decimal | null | undefined;
  maxBankFeeRate?: Decimal | null | undefined;
  minAmount?: Decimal | null | undefined;
  paymentWindowMinutes?: Int | null | undefined;
  reusesBankReferences?: boolean | null | undefined;
  sameBankAccountAs?: ID | null | undefined;
  timeZone?: string | null | undefined;
  weight?: Int | null | undefined;
};

export type CreateReceivingAccountResult =
  | ConflictError
  | CreateReceivingAccountSuccess
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError;

export type CreateReceivingAccountSuccess = {
  __typename: 'CreateReceivingAccountSuccess';
  receivingAccount: ReceivingAccount;
};

export type CreateRefundInput = {
  chargeId: ID;
  customerAmount: Decimal;
  metadata?: Array<MetadataEntryInput> | null | undefined;
  note?: string | null | undefined;
  reason?: RefundReason | null | undefined;
};

export type CreateRefundResult =
  | ConflictError
  | CreateRefundSuccess
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError;

export type CreateRefundSuccess = {
  __typename: 'CreateRefundSuccess';
  refund: Refund;
};

export type CreateSessionInput = {
  amount: Decimal;
  cancelUrl?: string | null | undefined;
  currency: CurrencyCode;
  customer?: CustomerInput | null | undefined;
  expiresInMinutes?: Int | null | undefined;
  locale?: Locale | null | undefined;
  metadata?: Array<MetadataEntryInput> | null | undefined;
  methods?: Array<PaymentMethodCode> | null | undefined;
  notifyPayload?: string | null | undefined;
  notifyUrl?: string | null | undefined;
  orders?: Array<OrderInput> | null | undefined;
  redirectUrl?: string | null | undefined;
};

export type CreateSessionResult =
  | ConflictError
  | CreateSessionSuccess
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError;

export type CreateSessionSuccess = {
  __typename: 'CreateSessionSuccess';
  clientToken: string;
  session: CheckoutSession;
};

export type CreateSubscriptionLinkInput = {
  customer?: CustomerInput | null | undefined;
  metadata?: Array<MetadataEntryInput> | null | undefined;
  methods?: Array<PaymentMethodCode> | null | undefined;
  notifyPayload?: string | null | undefined;
  redirectUrl?: string | null | undefined;
  subscriptionPlanId: ID;
};

export type CreateSubscriptionLinkResult =
  | ConflictError
  | CreateSubscriptionLinkSuccess
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError;

export type CreateSubscriptionLinkSuccess = {
  __typename: 'CreateSubscriptionLinkSuccess';
  url: string;
};

export type CreateSubscriptionPlanInput = {
  currency: CurrencyCode;
  gracePeriodDays?: Int | null | undefined;
  initialPayment?: InitialPaymentInput | null | undefined;
  invoiceNoticeDays?: Int | null | undefined;
  methods?: Array<PaymentMethodCode> | null | undefined;
  name: string;
  numPayments?: Int | null | undefined;
  orders?: Array<OrderInput> | null | undefined;
  recurringPayment: RecurringPaymentInput;
  sendEmail?: boolean | null | undefined;
  tax?: TaxInput | null | undefined;
};

export type CreateSubscriptionPlanResult =
  | ConflictError
  | CreateSubscriptionPlanSuccess
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError;

export type CreateSubscriptionPlanSuccess = {
  __typename: 'CreateSubscriptionPlanSuccess';
  subscriptionPlan: SubscriptionPlan;
};

export type CreateWebhookInput = {
  concurrency?: Int | null | undefined;
  eventTypes?: Array<EventType> | null | undefined;
  isSigned?: boolean | null | undefined;
  name?: string | null | undefined;
  notificationVersion?: NotificationVersion | null | undefined;
  password?: string | null | undefined;
  ratePerSecond?: Int | null | undefined;
  url: string;
  username: string;
};

export type CreateWebhookResult =
  | ConflictError
  | CreateWebhookSuccess
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError;

export type CreateWebhookSuccess = {
  __typename: 'CreateWebhookSuccess';
  password: string | null;
  signingSecret: string | null;
  webhook: Webhook;
};

export type CurrencyCode = string;

export type CustomAmount = {
  __typename: 'CustomAmount';
  max: Decimal | null;
  min: Decimal | null;
};

export type CustomAmountInput = {
  max?: Decimal | null | undefined;
  min?: Decimal | null | undefined;
};

export type Customer = {
  __typename: 'Customer';
  createdAt: DateTime;
  email: string | null;
  firstName: string | null;
  id: ID;
  lastName: string | null;
  note: string | null;
  phone: string | null;
  recentCharges: Array<Charge>;
  recentRefunds: Array<Refund>;
  recentSubscriptions: Array<SubscriptionContract>;
  totals: Array<CustomerTotal>;
  updatedAt: DateTime;
};

export type CustomerConnection = {
  __typename: 'CustomerConnection';
  edges: Array<CustomerEdge>;
  nodes: Array<Customer>;
  pageInfo: PageInfo;
  totalCount: Int;
};

export type CustomerDetails = {
  __typename: 'CustomerDetails';
  email: string | null;
  firstName: string | null;
  lastName: string | null;
  phone: string | null;
};

export type CustomerEdge = {
  __typename: 'CustomerEdge';
  cursor: string;
  node: Customer;
};

export type CustomerFilter = {
  email?: string | null | undefined;
  isIdentified?: boolean | null | undefined;
  phone?: string | null | undefined;
};

export type CustomerInput = {
  email?: string | null | undefined;
  firstName?: string | null | undefined;
  lastName?: string | null | undefined;
  phone?: PhoneInput | null | undefined;
};

export type CustomerTotal = {
  __typename: 'CustomerTotal';
  chargeCount: Int;
  currency: CurrencyCode;
  paidAmount: Decimal;
  refundedAmount: Decimal;
};

export type DailyCollectedAmounts = {
  __typename: 'DailyCollectedAmounts';
  amounts: Array<CollectedAmountByMethod>;
  date: Date;
};

export type DatabaseHealth = {
  __typename: 'DatabaseHealth';
  connectionCount: Int;
  maxConnectionCount: Int;
  processCount: Int;
  sizeBytes: Float;
  version: string;
};

export type Date = string;

export type DateTime = string;

export type Decimal = string;

export type DeclineRestrictedAccessInput = {
  merchantId: ID;
  reason: string;
};

export type DeclineRestrictedAccessResult =
  | ConflictError
  | DeclineRestrictedAccessSuccess
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError;

export type DeclineRestrictedAccessSuccess = {
  __typename: 'DeclineRestrictedAccessSuccess';
  merchant: Merchant;
};

export type DeleteBankFeedInput = {
  id: ID;
};

export type DeleteBankFeedResult =
  | ConflictError
  | DeleteBankFeedSuccess
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError;

export type DeleteBankFeedSuccess = {
  __typename: 'DeleteBankFeedSuccess';
  deletedBankFeedId: ID;
};

export type DeleteIgnoreRuleInput = {
  receivingAccountId: ID;
  text: string;
};

export type DeleteIgnoreRuleResult =
  | ConflictError
  | DeleteIgnoreRuleSuccess
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError;

export type DeleteIgnoreRuleSuccess = {
  __typename: 'DeleteIgnoreRuleSuccess';
  receivingAccount: ReceivingAccount;
};

export type DeleteSandboxDataResult =
  | ConflictError
  | DeleteSandboxDataSuccess
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError;

export type DeleteSandboxDataSuccess = {
  __typename: 'DeleteSandboxDataSuccess';
  merchant: Merchant;
};

export type DeleteWebhookInput = {
  id: ID;
};

export type DeleteWebhookResult =
  | ConflictError
  | DeleteWebhookSuccess
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError;

export type DeleteWebhookSuccess = {
  __typename: 'DeleteWebhookSuccess';
  deletedWebhookId: ID;
};

export type Destination = {
  __typename: 'Destination';
  account: string;
  accountName: string;
  bank: string;
  deepLink: string | null;
  paymentReference: string;
  qrCode: string | null;
  rows: Array<InstructionRow>;
};

export type DisableTwoFactorInput = {
  code: string;
  password: string;
};

export type DisableTwoFactorResult =
  | ConflictError
  | DisableTwoFactorSuccess
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError;

export type DisableTwoFactorSuccess = {
  __typename: 'DisableTwoFactorSuccess';
  viewer: Viewer;
};

export type DiskHealth = {
  __typename: 'DiskHealth';
  freeBytes: Float;
  totalBytes: Float;
};

export type DismissAlertInput = {
  id: ID;
};

export type DismissAlertResult =
  | ConflictError
  | DismissAlertSuccess
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError;

export type DismissAlertSuccess = {
  __typename: 'DismissAlertSuccess';
  alert: Alert;
};

export type DismissTransfersInput = {
  ids: Array<ID>;
  note?: string | null | undefined;
};

export type DismissTransfersResult =
  | ConflictError
  | DismissTransfersSuccess
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError;

export type DismissTransfersSuccess = {
  __typename: 'DismissTransfersSuccess';
  transfers: Array<Transfer>;
};

export type DuitNowDetailsInput = {
  account?: string | null | undefined;
  bank?: string | null | undefined;
  staticQrCode?: string | null | undefined;
};

export type DuplicateMark = {
  __typename: 'DuplicateMark';
  actor: Actor;
  createdAt: DateTime;
};

export type EndUserSessionInput = {
  id: ID;
};

export type EndUserSessionResult =
  | ConflictError
  | EndUserSessionSuccess
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError;

export type EndUserSessionSuccess = {
  __typename: 'EndUserSessionSuccess';
  endedUserSessionId: ID | null;
  viewer: Viewer;
};

export type EnrolInput = {
  customer: CustomerInput;
  locale?: Locale | null | undefined;
  metadata?: Array<MetadataEntryInput> | null | undefined;
  method: PaymentMethodCode;
  notifyPayload?: string | null | undefined;
  redirectUrl?: string | null | undefined;
  subscriptionPlanId: ID;
};

export type EnrolResult =
  | ConflictError
  | EnrolSuccess
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError;

export type EnrolSuccess = {
  __typename: 'EnrolSuccess';
  charge: Charge | null;
  subscription: SubscriptionContract;
};

export type ErrorCode =
  | 'account_disabled'
  | 'alert_not_found'
  | 'amount_exceeds_refundable'
  | 'amount_out_of_range'
  | 'api_key_ended'
  | 'api_key_not_found'
  | 'bank_feed_limit_reached'
  | 'bank_feed_not_found'
  | 'bank_feed_not_pollable'
  | 'bank_feed_unauthenticated'
  | 'certificate_not_found'
  | 'certificate_signing'
  | 'charge_not_completed'
  | 'charge_not_found'
  | 'charge_not_pending'
  | 'checkout_link_not_found'
  | 'currency_unsupported'
  | 'customer_not_found'
  | 'event_cursor_expired'
  | 'export_not_found'
  | 'feed_delivery_not_found'
  | 'feed_delivery_not_processable'
  | 'hash_mismatch'
  | 'hash_required'
  | 'headers_too_large'
  | 'idempotency_in_progress'
  | 'idempotency_key_reused'
  | 'internal_error'
  | 'invalid_request'
  | 'invalid_statement'
  | 'invitation_email_used'
  | 'invitation_not_found'
  | 'invoice_not_found'
  | 'invoice_not_open'
  | 'last_owner'
  | 'link_closed'
  | 'link_invalid'
  | 'merchant_moved'
  | 'merchant_paused'
  | 'method_not_allowed'
  | 'method_unavailable'
  | 'not_acceptable'
  | 'notification_not_found'
  | 'payload_too_large'
  | 'permission_denied'
  | 'plan_terms_fixed'
  | 'rate_limited'
  | 'rate_stale'
  | 'rate_unavailable'
  | 'receiving_account_invalid'
  | 'receiving_account_not_found'
  | 'receiving_account_retired'
  | 'refund_not_found'
  | 'refund_not_initiated'
  | 'refund_not_processing'
  | 'request_timeout'
  | 'restricted_endpoint'
  | 'route_not_found'
  | 'sandbox_only'
  | 'session_already_used'
  | 'session_cancelled'
  | 'session_expired'
  | 'session_not_claimed'
  | 'session_not_found'
  | 'statement_not_awaiting_confirmation'
  | 'statement_not_found'
  | 'statement_not_in_progress'
  | 'statement_not_undoable'
  | 'statement_refunded'
  | 'statement_undo_in_progress'
  | 'subscription_ended'
  | 'subscription_not_found'
  | 'subscription_not_paused'
  | 'subscription_paused'
  | 'subscription_plan_inactive'
  | 'subscription_plan_not_found'
  | 'subscription_unstarted'
  | 'target_refused'
  | 'test_clock_running'
  | 'transfer_already_allocated'
  | 'transfer_not_found'
  | 'two_factor_code_required'
  | 'two_factor_not_enabled'
  | 'two_factor_setup_required'
  | 'unauthenticated'
  | 'unavailable'
  | 'unsupported_media_type'
  | 'upload_not_found'
  | 'user_not_found'
  | 'verification_code_invalid'
  | 'webhook_disabled'
  | 'webhook_limit_reached'
  | 'webhook_not_found'
  | 'webhook_unsigned';

export type Event = {
  __typename: 'Event';
  actor: Actor;
  createdAt: DateTime;
  id: ID;
  ipAddress: string | null;
  notifications: Array<Notification>;
  objectId: ID;
  objectVersion: Int;
  payload: EventPayload;
  payloadJson: string;
  sequence: BigInt | null;
  type: EventType;
};

export type EventConnection = {
  __typename: 'EventConnection';
  edges: Array<EventEdge>;
  nodes: Array<Event>;
  pageInfo: PageInfo;
  totalCount: Int;
};

export type EventEdge = {
  __typename: 'EventEdge';
  cursor: string;
  node: Event;
};

export type EventFilter = {
  createdFrom?: DateTime | null | undefined;
  createdTo?: DateTime | null | undefined;
  objectId?: ID | null | undefined;
  types?: Array<EventType> | null | undefined;
};

export type EventPayload =
  | ChargeEventPayload
  | InvoiceEventPayload
  | RefundEventPayload
  | SessionEventPayload
  | SubscriptionEventPayload
  | TransferEventPayload;

export type EventType =
  | 'CHARGE_COMPLETE'
  | 'charge_cancelled'
  | 'charge_completed'
  | 'charge_created'
  | 'charge_expired'
  | 'charge_extended'
  | 'charge_overpaid'
  | 'charge_part_paid'
  | 'refund_cancelled'
  | 'refund_completed'
  | 'refund_initiated'
  | 'refund_processing'
  | 'session_cancelled'
  | 'session_charged'
  | 'session_created'
  | 'session_expired'
  | 'session_initiated'
  | 'subscription_cancelled'
  | 'subscription_completed'
  | 'subscription_created'
  | 'subscription_invoice_due'
  | 'subscription_paid'
  | 'subscription_paused'
  | 'subscription_resumed'
  | 'subscription_updated'
  | 'transfer_exception';

export type ExchangeRate = {
  __typename: 'ExchangeRate';
  currency: CurrencyCode;
  effectiveAt: DateTime;
  isActive: boolean;
  rate: Decimal;
  setByEmail: string | null;
  source: string;
  updatedAt: DateTime;
};

export type Export = {
  __typename: 'Export';
  createdAt: DateTime;
  dataAsOf: DateTime | null;
  downloadUrl: string | null;
  error: string | null;
  expiresAt: DateTime;
  fileName: string;
  finishedAt: DateTime | null;
  format: ExportFormat;
  id: ID;
  kind: ExportKind;
  progress: Float;
  sizeBytes: Float;
  status: ExportStatus;
  totalRowCount: Int | null;
  writtenRowCount: Int;
};

export type ExportConnection = {
  __typename: 'ExportConnection';
  edges: Array<ExportEdge>;
  nodes: Array<Export>;
  pageInfo: PageInfo;
  totalCount: Int;
};

export type ExportEdge = {
  __typename: 'ExportEdge';
  cursor: string;
  node: Export;
};

export type ExportFormat =
  | 'csv'
  | 'pain_001_001_03'
  | 'pain_001_001_09';

export type ExportKind =
  | 'charges'
  | 'customers'
  | 'journal'
  | 'payouts'
  | 'reconciliation'
  | 'refunds'
  | 'transfers';

export type ExportStatus =
  | 'completed'
  | 'failed'
  | 'queued'
  | 'running';

export type ExtendChargeInput = {
  days: Int;
  id: ID;
};

export type ExtendChargeResult =
  | ConflictError
  | ExtendChargeSuccess
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError;

export type ExtendChargeSuccess = {
  __typename: 'ExtendChargeSuccess';
  charge: Charge;
};

export type FeedCredentialsInput = {
  clientId?: string | null | undefined;
  clientSecret?: string | null | undefined;
  key?: string | null | undefined;
  passphrase?: string | null | undefined;
  pgpPassphrase?: string | null | undefined;
  pgpPrivateKey?: string | null | undefined;
  pgpPublicKey?: string | null | undefined;
  privateKey?: string | null | undefined;
  publicKey?: string | null | undefined;
  secret?: string | null | undefined;
  username?: string | null | undefined;
};

export type FeedDelivery = {
  __typename: 'FeedDelivery';
  bankFeed: BankFeed;
  body: string | null;
  createdAt: DateTime;
  detail: string | null;
  fileName: string | null;
  headersJson: string | null;
  id: ID;
  ipAddress: string | null;
  processedAt: DateTime | null;
  reason: string | null;
  results: Array<FeedDeliveryResult>;
  sha256: string;
  sizeBytes: Int;
  statements: Array<Statement>;
  status: FeedDeliveryStatus;
};

export type FeedDeliveryConnection = {
  __typename: 'FeedDeliveryConnection';
  edges: Array<FeedDeliveryEdge>;
  nodes: Array<FeedDelivery>;
  pageInfo: PageInfo;
  totalCount: Int;
};

export type FeedDeliveryEdge = {
  __typename: 'FeedDeliveryEdge';
  cursor: string;
  node: FeedDelivery;
};

export type FeedDeliveryFilter = {
  bankFeedId?: ID | null | undefined;
  statuses?: Array<FeedDeliveryStatus> | null | undefined;
};

export type FeedDeliveryResult = {
  __typename: 'FeedDeliveryResult';
  account: string | null;
  amount: string;
  bankReference: string;
  currency: string;
  detail: string | null;
  direction: TransferDirection;
  status: FeedResultStatus;
  transfer: Transfer | null;
};

export type FeedDeliveryStatus =
  | 'failed'
  | 'ignored'
  | 'observed'
  | 'processed'
  | 'received'
  | 'rejected';

export type FeedHealth = {
  __typename: 'FeedHealth';
  connectedCount: Int;
  failingCount: Int;
  lateCount: Int;
  newCount: Int;
  pausedCount: Int;
};

export type FeedResultStatus =
  | 'dismissed'
  | 'duplicate'
  | 'exception'
  | 'invalid'
  | 'matched'
  | 'observed'
  | 'outgoing'
  | 'over'
  | 'partial'
  | 'returned'
  | 'unknown_account';

export type FieldError = {
  __typename: 'FieldError';
  message: string;
  path: string;
};

export type Float = number;

export type ForexQuote = {
  __typename: 'ForexQuote';
  amount: Decimal;
  currency: CurrencyCode;
  effectiveAt: DateTime;
  rate: Decimal;
  source: string;
};

export type FpsDetailsInput = {
  bank?: string | null | undefined;
  bankCode?: string | null | undefined;
  email?: string | null | undefined;
  fpsId?: string | null | undefined;
  mobile?: string | null | undefined;
};

export type GojekIdDetailsInput = {
  bank?: string | null | undefined;
  staticQrCode?: string | null | undefined;
};

export type GrantRestrictedAccessInput = {
  merchantId: ID;
};

export type GrantRestrictedAccessResult =
  | ConflictError
  | GrantRestrictedAccessSuccess
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError;

export type GrantRestrictedAccessSuccess = {
  __typename: 'GrantRestrictedAccessSuccess';
  merchant: Merchant;
};

export type HkBankTransferDetailsInput = {
  account?: string | null | undefined;
  bank?: string | null | undefined;
  bankCode?: string | null | undefined;
};

export type ID = string;

export type IdBankTransferDetailsInput = {
  account?: string | null | undefined;
  bank?: string | null | undefined;
  bankCode?: string | null | undefined;
};

export type IgnoreRulePreview = {
  __typename: 'IgnoreRulePreview';
  assignedCount: Int;
  count: Int;
  transfers: Array<Transfer>;
  unmatchedCount: Int;
};

export type ImportStatementInput = {
  fileAccount?: string | null | undefined;
  mapping?: StatementMappingInput | null | undefined;
  receivingAccountId: ID;
  uploadId: ID;
};

export type ImportStatementResult =
  | ConflictError
  | ImportStatementSuccess
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError;

export type ImportStatementSuccess = {
  __typename: 'ImportStatementSuccess';
  isDuplicate: boolean;
  statement: Statement;
};

export type InBankTransferDetailsInput = {
  account?: string | null | undefined;
  bank?: string | null | undefined;
  ifsc?: string | null | undefined;
  vpa?: string | null | undefined;
};

export type InitialPayment = {
  __typename: 'InitialPayment';
  amount: Decimal | null;
  count: Int | null;
  period: PeriodUnit | null;
};

export type InitialPaymentInput = {
  amount?: Decimal | null | undefined;
  count?: Int | null | undefined;
  period?: PeriodUnit | null | undefined;
};

export type InstallationHealth = {
  __typename: 'InstallationHealth';
  database: DatabaseHealth;
  disk: DiskHealth | null;
  feeds: FeedHealth;
  mail: MailHealth;
  measuredAt: DateTime;
  queues: Array<QueueHealth>;
  webhooks: WebhookHealth;
  workerCount: Int | null;
};

export type InstapayDetailsInput = {
  account?: string | null | undefined;
  bank?: string | null | undefined;
  bic?: string | null | undefined;
  mobile?: string | null | undefined;
  staticQrCode?: string | null | undefined;
};

export type InstructionField =
  | 'account_name'
  | 'account_number'
  | 'amount'
  | 'bank'
  | 'biller_id'
  | 'bsb'
  | 'e_wallet_id'
  | 'email'
  | 'fps_id'
  | 'ifsc'
  | 'merchant_name'
  | 'mobile'
  | 'pay_id'
  | 'reference'
  | 'reference1'
  | 'reference2'
  | 'tax_id'
  | 'uen'
  | 'upi_id';

export type InstructionRow = {
  __typename: 'InstructionRow';
  code: string | null;
  field: InstructionField;
  value: string;
};

export type Int = number;

export type InvalidRequestError = {
  __typename: 'InvalidRequestError';
  code: ErrorCode;
  errors: Array<FieldError>;
  message: string;
};

export type InvitationPreview = {
  __typename: 'InvitationPreview';
  email: string;
  expiresAt: DateTime;
  merchantName: string;
  role: UserRole;
};

export type InviteUserInput = {
  email: string;
  role: UserRole;
};

export type InviteUserResult =
  | ConflictError
  | InvalidRequestError
  | InviteUserSuccess
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError;

export type InviteUserSuccess = {
  __typename: 'InviteUserSuccess';
  invitation: UserInvitation;
  invitationUrl: string | null;
};

export type Invoice = {
  __typename: 'Invoice';
  amount: Decimal;
  charge: Charge | null;
  checkoutUrl: string;
  createdAt: DateTime;
  currency: CurrencyCode;
  dueAt: DateTime;
  events: Array<Event>;
  id: ID;
  isOverdue: boolean;
  isPaidExternally: boolean;
  number: Int;
  paidAt: DateTime | null;
  pdfUrl: string;
  periodEnd: DateTime;
  periodStart: DateTime;
  planName: string;
  replacedBy: Invoice | null;
  resentAt: DateTime | null;
  status: InvoiceStatus;
  subscription: SubscriptionContract;
  tax: Tax | null;
  taxAmount: Decimal;
  updatedAt: DateTime;
  voidedAt: DateTime | null;
};

export type InvoiceConnection = {
  __typename: 'InvoiceConnection';
  edges: Array<InvoiceEdge>;
  nodes: Array<Invoice>;
  pageInfo: PageInfo;
  totalCount: Int;
};

export type InvoiceEdge = {
  __typename: 'InvoiceEdge';
  cursor: string;
  node: Invoice;
};

export type InvoiceEventPayload = {
  __typename: 'InvoiceEventPayload';
  amount: Decimal | null;
  chargeId: ID | null;
  checkoutUrl: string | null;
  currency: CurrencyCode | null;
  dueAt: DateTime | null;
  invoiceId: ID | null;
  invoiceStatus: InvoiceStatus | null;
  notifyPayload: string | null;
  number: Int | null;
  pdfUrl: string | null;
  subscriptionId: ID | null;
};

export type InvoiceFilter = {
  createdFrom?: DateTime | null | undefined;
  createdTo?: DateTime | null | undefined;
  currency?: CurrencyCode | null | undefined;
  isOverdue?: boolean | null | undefined;
  statuses?: Array<InvoiceStatus> | null | undefined;
  subscriptionId?: ID | null | undefined;
};

export type InvoiceStatus =
  | 'open'
  | 'paid'
  | 'void';

export type JournalAccount =
  | 'bank'
  | 'bank_fees'
  | 'customer_deposits'
  | 'other_income'
  | 'refunds'
  | 'returned_receipts'
  | 'sales'
  | 'unmatched_receipts';

export type Locale =
  | 'en'
  | 'fil'
  | 'hi'
  | 'id'
  | 'ko'
  | 'ms'
  | 'th'
  | 'vi'
  | 'zh'
  | 'zh_Hant';

export type MailHealth = {
  __typename: 'MailHealth';
  failedCount: Int;
  hasMailServer: boolean;
  hasSmsGateway: boolean;
  waitingCount: Int;
};

export type MarkInvoicePaidInput = {
  id: ID;
  note?: string | null | undefined;
};

export type MarkInvoicePaidResult =
  | ConflictError
  | InvalidRequestError
  | MarkInvoicePaidSuccess
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError;

export type MarkInvoicePaidSuccess = {
  __typename: 'MarkInvoicePaidSuccess';
  invoice: Invoice;
};

export type MarkTransferAsDuplicateInput = {
  duplicateOfId: ID;
  id: ID;
};

export type MarkTransferAsDuplicateResult =
  | ConflictError
  | InvalidRequestError
  | MarkTransferAsDuplicateSuccess
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError;

export type MarkTransferAsDuplicateSuccess = {
  __typename: 'MarkTransferAsDuplicateSuccess';
  transfer: Transfer;
};

export type Merchant = {
  __typename: 'Merchant';
  activity: MerchantActivity | null;
  additionalPhoneCountries: Array<CountryCode>;
  areReceiptsEmailed: boolean;
  brandColor: string | null;
  country: CountryCode | null;
  createdAt: DateTime;
  disabledAt: DateTime | null;
  disabledOperations: Array<string>;
  displayName: string | null;
  exchangeRateMarkup: Decimal;
  id: ID;
  isDemo: boolean;
  isSecureModeEnabled: boolean;
  isTwoFactorRequired: boolean;
  logoUrl: string | null;
  maxRateAgeDays: Int;
  mode: Mode;
  monthlyVolumes: Array<MonthlyVolume>;
  moveStatus: MerchantMoveStatus | null;
  movedAt: DateTime | null;
  movedTo: string | null;
  name: string;
  paymentWindows: Array<PaymentWindow>;
  postalAddress: string | null;
  privacyUrl: string | null;
  reauthenticationMinutes: Int;
  redirectSchemes: Array<string>;
  restrictedAccess: RestrictedAccess;
  restrictedAccessDeclineReason: string | null;
  restrictedAccessRequestedAt: DateTime | null;
  setupProgress: SetupProgress;
  supportEmail: string | null;
  taxNumber: string | null;
  termsUrl: string | null;
  timeZone: string;
  underpaymentTolerance: Decimal;
  updatedAt: DateTime;
  websiteUrl: string | null;
};

export type MerchantActivity = {
  __typename: 'MerchantActivity';
  chargeCount: Int;
  lastChargeAt: DateTime | null;
  volumeUsd: Decimal;
};

export type MerchantConnection = {
  __typename: 'MerchantConnection';
  edges: Array<MerchantEdge>;
  nodes: Array<Merchant>;
  pageInfo: PageInfo;
  totalCount: Int;
};

export type MerchantEdge = {
  __typename: 'MerchantEdge';
  cursor: string;
  node: Merchant;
};

export type MerchantFilter = {
  restrictedAccess?: RestrictedAccess | null | undefined;
  search?: string | null | undefined;
};

export type MerchantMoveStatus =
  | 'imported'
  | 'moved'
  | 'paused'
  | 'pausing';

export type MerchantUser = {
  __typename: 'MerchantUser';
  createdAt: DateTime;
  email: string;
  hasTwoFactor: boolean | null;
  id: ID;
  lastSeenAt: DateTime | null;
  name: string | null;
  role: UserRole;
};

export type MerchantUserConnection = {
  __typename: 'MerchantUserConnection';
  edges: Array<MerchantUserEdge>;
  nodes: Array<MerchantUser>;
  pageInfo: PageInfo;
  totalCount: Int;
};

export type MerchantUserEdge = {
  __typename: 'MerchantUserEdge';
  cursor: string;
  node: MerchantUser;
};

export type MetadataEntry = {
  __typename: 'MetadataEntry';
  key: string;
  value: string;
};

export type MetadataEntryInput = {
  key: string;
  value: string;
};

export type MethodMetrics = {
  __typename: 'MethodMetrics';
  chargeCount: Int;
  collectedAmount: Decimal;
  convertedAmount: Decimal | null;
  currency: CurrencyCode;
  dailyAmounts: Array<Decimal>;
  method: PaymentMethodCode;
  previousAmount: Decimal;
};

export type MissingExchangeRate = {
  __typename: 'MissingExchangeRate';
  destinationCurrency: CurrencyCode;
  sourceCurrency: CurrencyCode;
};

export type Mode =
  | 'live'
  | 'sandbox';

export type MonthlyRecurringRevenue = {
  __typename: 'MonthlyRecurringRevenue';
  amount: Decimal;
  currency: CurrencyCode;
};

export type MonthlyVolume = {
  __typename: 'MonthlyVolume';
  month: string;
  shortfallUsd: Decimal;
  volumeUsd: Decimal;
};

export type Mutation = {
  __typename: 'Mutation';
  acceptInvitation: AcceptInvitationResult;
  acceptShortfall: AcceptShortfallResult;
  advanceTestClock: AdvanceTestClockResult;
  assignTransfer: AssignTransferResult;
  beginTwoFactorSetup: BeginTwoFactorSetupResult;
  cancelCharge: CancelChargeResult;
  cancelCounterSale: CancelCounterSaleResult;
  cancelRefund: CancelRefundResult;
  cancelSession: CancelSessionResult;
  cancelStatement: CancelStatementResult;
  cancelSubscription: CancelSubscriptionResult;
  changeEmail: ChangeEmailResult;
  changePassword: ChangePasswordResult;
  changeSubscriptionMethod: ChangeSubscriptionMethodResult;
  changeSubscriptionTerms: ChangeSubscriptionTermsResult;
  chargeSession: ChargeSessionResult;
  chooseCounterSaleMethod: ChooseCounterSaleMethodResult;
  closeCheckoutLink: CloseCheckoutLinkResult;
  completeRefund: CompleteRefundResult;
  completeSandboxCharge: CompleteSandboxChargeResult;
  confirmBankFeed: ConfirmBankFeedResult;
  confirmEmailChange: ConfirmEmailChangeResult;
  confirmStatement: ConfirmStatementResult;
  confirmTwoFactorSetup: ConfirmTwoFactorSetupResult;
  createApiKey: CreateApiKeyResult;
  createBankFeed: CreateBankFeedResult;
  createCertificate: CreateCertificateResult;
  createCharge: CreateChargeResult;
  createChargeForTransfer: CreateChargeForTransferResult;
  createChargeHash: CreateChargeHashResult;
  createCheckoutLink: CreateCheckoutLinkResult;
  createCounterSale: CreateCounterSaleResult;
  createExport: CreateExportResult;
  createIgnoreRule: CreateIgnoreRuleResult;
  createMerchant: CreateMerchantResult;
  createReceivingAccount: CreateReceivingAccountResult;
  createRefund: CreateRefundResult;
  createSession: CreateSessionResult;
  createSubscriptionLink: CreateSubscriptionLinkResult;
  createSubscriptionPlan: CreateSubscriptionPlanResult;
  createWebhook: CreateWebhookResult;
  declineRestrictedAccess: DeclineRestrictedAccessResult;
  deleteBankFeed: DeleteBankFeedResult;
  deleteIgnoreRule: DeleteIgnoreRuleResult;
  deleteSandboxData: DeleteSandboxDataResult;
  deleteWebhook: DeleteWebhookResult;
  disableTwoFactor: DisableTwoFactorResult;
  dismissAlert: DismissAlertResult;
  dismissTransfers: DismissTransfersResult;
  endUserSession: EndUserSessionResult;
  enrol: EnrolResult;
  extendCharge: ExtendChargeResult;
  grantRestrictedAccess: GrantRestrictedAccessResult;
  importStatement: ImportStatementResult;
  inviteUser: InviteUserResult;
  markInvoicePaid: MarkInvoicePaidResult;
  markTransferAsDuplicate: MarkTransferAsDuplicateResult;
  pauseSubscription: PauseSubscriptionResult;
  payInvoice: PayInvoiceResult;
  pollBankFeed: PollBankFeedResult;
  previewStatement: PreviewStatementResult;
  processFeedDelivery: ProcessFeedDeliveryResult;
  reauthenticate: ReauthenticateResult;
  recordTransfers: RecordTransfersResult;
  regenerateRecoveryCodes: RegenerateRecoveryCodesResult;
  removeExchangeRate: RemoveExchangeRateResult;
  removeUser: RemoveUserResult;
  reopenRefund: ReopenRefundResult;
  replaceSubscriptionLinks: ReplaceSubscriptionLinksResult;
  replayNotifications: ReplayNotificationsResult;
  requestPasswordReset: RequestPasswordResetResult;
  requestPhoneVerification: RequestPhoneVerificationResult;
  requestRestrictedAccess: RequestRestrictedAccessResult;
  resendInvitation: ResendInvitationResult;
  resendInvoice: ResendInvoiceResult;
  resendNotification: ResendNotificationResult;
  resetPassword: ResetPasswordResult;
  resumeSubscription: ResumeSubscriptionResult;
  returnTransfer: ReturnTransferResult;
  revokeApiKey: RevokeApiKeyResult;
  revokeCertificate: RevokeCertificateResult;
  rotateApiKey: RotateApiKeyResult;
  rotateWebhookSecret: RotateWebhookSecretResult;
  sendReceipt: SendReceiptResult;
  sendTestNotice: SendTestNoticeResult;
  sendTestNotification: SendTestNotificationResult;
  setExchangeRate: SetExchangeRateResult;
  setMerchantEnabled: SetMerchantEnabledResult;
  setOperationsEnabled: SetOperationsEnabledResult;
  signIn: SignInResult;
  signOut: SignOutResult;
  signOutEverywhere: SignOutEverywhereResult;
  simulateCounterPayment: SimulateCounterPaymentResult;
  simulateTransfer: SimulateTransferResult;
  skipSubscriptionPayment: SkipSubscriptionPaymentResult;
  splitTransfer: SplitTransferResult;
  submitRefundDetails: SubmitRefundDetailsResult;
  unassignTransfer: UnassignTransferResult;
  undoRefundCompletion: UndoRefundCompletionResult;
  undoStatement: UndoStatementResult;
  updateApiKey: UpdateApiKeyResult;
  updateBankFeed: UpdateBankFeedResult;
  updateChargeNote: UpdateChargeNoteResult;
  updateCheckoutLink: UpdateCheckoutLinkResult;
  updateCustomerNote: UpdateCustomerNoteResult;
  updateMerchantSettings: UpdateMerchantSettingsResult;
  updateNoticeSettings: UpdateNoticeSettingsResult;
  updateReceivingAccount: UpdateReceivingAccountResult;
  updateStatementMapping: UpdateStatementMappingResult;
  updateSubscriptionPlan: UpdateSubscriptionPlanResult;
  updateTransfers: UpdateTransfersResult;
  updateUser: UpdateUserResult;
  updateViewer: UpdateViewerResult;
  updateWebhook: UpdateWebhookResult;
  verifyPhone: VerifyPhoneResult;
  voidInvoice: VoidInvoiceResult;
  withdrawInvitation: WithdrawInvitationResult;
};

export type Node =
  | Alert
  | Allocation
  | ApiKey
  | AuditEntry
  | BankFeed
  | Certificate
  | Charge
  | CheckoutLink
  | CheckoutSession
  | Customer
  | Event
  | Export
  | FeedDelivery
  | Invoice
  | Merchant
  | MerchantUser
  | Notification
  | NotificationAttempt
  | OutboundMessage
  | ReceivingAccount
  | Refund
  | RefundPayout
  | Statement
  | SubscriptionContract
  | SubscriptionPlan
  | TestClock
  | Transfer
  | UserInvitation
  | UserSession
  | Webhook;

export type NotFoundError = {
  __typename: 'NotFoundError';
  code: ErrorCode;
  message: string;
};

export type NoticeChannel =
  | 'chat'
  | 'email';

export type NoticeFrequency =
  | 'at_once'
  | 'daily'
  | 'off';

export type NoticeSetting = {
  __typename: 'NoticeSetting';
  channel: NoticeChannel;
  frequency: NoticeFrequency;
  topic: NoticeTopic;
};

export type NoticeSettingInput = {
  channel: NoticeChannel;
  frequency: NoticeFrequency;
  topic: NoticeTopic;
};

export type NoticeTopic =
  | 'accounts'
  | 'endpoints'
  | 'payments'
  | 'reviews';

export type Notification = {
  __typename: 'Notification';
  attemptCount: Int;
  attempts: Array<NotificationAttempt>;
  createdAt: DateTime;
  event: Event;
  finishedAt: DateTime | null;
  id: ID;
  isTest: boolean;
  kind: NotificationKind;
  nextAttemptAt: DateTime | null;
  status: NotificationStatus;
  url: string;
  webhook: Webhook | null;
};

export type NotificationAttempt = {
  __typename: 'NotificationAttempt';
  durationMs: Int;
  error: string | null;
  id: ID;
  notification: Notification;
  number: Int;
  responseBody: string | null;
  responseStatus: Int | null;
  startedAt: DateTime;
};

export type NotificationConnection = {
  __typename: 'NotificationConnection';
  edges: Array<NotificationEdge>;
  nodes: Array<Notification>;
  pageInfo: PageInfo;
  totalCount: Int;
};

export type NotificationEdge = {
  __typename: 'NotificationEdge';
  cursor: string;
  node: Notification;
};

export type NotificationFilter = {
  chargeId?: ID | null | undefined;
  createdFrom?: DateTime | null | undefined;
  createdTo?: DateTime | null | undefined;
  eventTypes?: Array<EventType> | null | undefined;
  kind?: NotificationKind | null | undefined;
  statuses?: Array<NotificationStatus> | null | undefined;
  webhookId?: ID | null | undefined;
};

export type NotificationKind =
  | 'callback'
  | 'webhook';

export type NotificationStatus =
  | 'delivered'
  | 'failed'
  | 'pending'
  | 'skipped';

export type NotificationVersion =
  | 'v0_8'
  | 'v0_9'
  | 'v1_0';

export type NzBankTransferDetailsInput = {
  account?: string | null | undefined;
  bank?: string | null | undefined;
};

export type Order = {
  __typename: 'Order';
  amount: Decimal | null;
  name: string | null;
  orderId: string | null;
  quantity: Int | null;
};

export type OrderInput = {
  amount?: Decimal | null | undefined;
  currency?: CurrencyCode | null | undefined;
  name?: string | null | undefined;
  orderId?: string | null | undefined;
  quantity?: Int | null | undefined;
};

export type OutboundMessage = {
  __typename: 'OutboundMessage';
  attemptCount: Int;
  audience: OutboundMessageAudience;
  channel: OutboundMessageChannel;
  createdAt: DateTime;
  finishedAt: DateTime | null;
  html: string | null;
  id: ID;
  kind: OutboundMessageKind;
  lastError: string | null;
  locale: Locale;
  nextAttemptAt: DateTime | null;
  recipient: string;
  status: OutboundMessageStatus;
  subject: string | null;
  text: string | null;
};

export type OutboundMessageAudience =
  | 'customer'
  | 'staff';

export type OutboundMessageChannel =
  | 'chat'
  | 'email'
  | 'sms';

export type OutboundMessageConnection = {
  __typename: 'OutboundMessageConnection';
  edges: Array<OutboundMessageEdge>;
  nodes: Array<OutboundMessage>;
  pageInfo: PageInfo;
  totalCount: Int;
};

export type OutboundMessageEdge = {
  __typename: 'OutboundMessageEdge';
  cursor: string;
  node: OutboundMessage;
};

export type OutboundMessageFilter = {
  channel?: OutboundMessageChannel | null | undefined;
  recipient?: string | null | undefined;
  statuses?: Array<OutboundMessageStatus> | null | undefined;
};

export type OutboundMessageKind =
  | 'account_notice'
  | 'bank_feed'
  | 'cancel_subscription'
  | 'email_change'
  | 'endpoint_alert'
  | 'invitation'
  | 'invoice_due'
  | 'invoice_paused'
  | 'invoice_reminder'
  | 'notice'
  | 'password_reset'
  | 'phone_code'
  | 'receipt'
  | 'receiving_account'
  | 'references_low'
  | 'refund_link'
  | 'refund_sent'
  | 'subscription_changed';

export type OutboundMessageStatus =
  | 'captured'
  | 'failed'
  | 'pending'
  | 'sent'
  | 'skipped';

export type OutstandingPayment = {
  __typename: 'OutstandingPayment';
  amount: Decimal;
  appLinks: Array<AppLink>;
  currency: CurrencyCode;
  destination: Destination;
  isDemo: boolean;
  referencePlacement: ReferencePlacement;
};

export type PageInfo = {
  __typename: 'PageInfo';
  endCursor: string | null;
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  startCursor: string | null;
};

export type PauseSubscriptionInput = {
  id: ID;
  resumesAt?: DateTime | null | undefined;
};

export type PauseSubscriptionResult =
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PauseSubscriptionSuccess
  | PermissionError
  | RateLimitedError
  | UnprocessableError;

export type PauseSubscriptionSuccess = {
  __typename: 'PauseSubscriptionSuccess';
  subscription: SubscriptionContract;
};

export type PayInvoiceInput = {
  id: ID;
  method?: PaymentMethodCode | null | undefined;
};

export type PayInvoiceResult =
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PayInvoiceSuccess
  | PermissionError
  | RateLimitedError
  | UnprocessableError;

export type PayInvoiceSuccess = {
  __typename: 'PayInvoiceSuccess';
  charge: Charge;
};

export type PayerAccount = {
  __typename: 'PayerAccount';
  account: string;
  name: string | null;
};

export type PaymentMethod = {
  __typename: 'PaymentMethod';
  code: PaymentMethodCode;
  country: CountryCode;
  currency: CurrencyCode;
  iconUrl: string;
  maxAmount: Decimal;
  minAmount: Decimal;
  name: string;
};

export type PaymentMethodCode =
  | 'au_bank_transfer'
  | 'duit_now'
  | 'fps'
  | 'gojek_id'
  | 'hk_bank_transfer'
  | 'id_bank_transfer'
  | 'in_bank_transfer'
  | 'instapay'
  | 'nz_bank_transfer'
  | 'paynow'
  | 'prompt_pay'
  | 'toss'
  | 'viettel_pay';

export type PaymentState =
  | 'exact'
  | 'none'
  | 'over'
  | 'partial';

export type PaymentWindow = {
  __typename: 'PaymentWindow';
  isCustom: boolean;
  method: PaymentMethodCode;
  minutes: Int;
};

export type PaymentWindowInput = {
  method: PaymentMethodCode;
  minutes: Int;
};

export type PaynowDetailsInput = {
  bank?: string | null | undefined;
  mobile?: string | null | undefined;
  uen?: string | null | undefined;
};

export type PayoutDetails = {
  __typename: 'PayoutDetails';
  account: string;
  accountName: string;
  bank: string | null;
  scheme: PayoutScheme | null;
};

export type PayoutScheme =
  | 'fps'
  | 'pay_id'
  | 'paynow'
  | 'prompt_pay'
  | 'upi';

export type PeriodMetrics = {
  __typename: 'PeriodMetrics';
  before: DateTime;
  cancelledCount: Int;
  collectedAmount: Decimal;
  collectedCount: Int;
  completedCount: Int;
  createdCount: Int;
  expiredCount: Int;
  from: DateTime;
  medianSecondsToPay: Int | null;
  pendingCount: Int;
  refundedAmount: Decimal;
  refundedCount: Int;
};

export type PeriodSummary = {
  __typename: 'PeriodSummary';
  currency: CurrencyCode;
  current: PeriodMetrics;
  methods: Array<MethodMetrics>;
  previous: PeriodMetrics;
  rates: Array<ReportingRate>;
  sellers: Array<SellerMetrics>;
  unconvertedCurrencies: Array<CurrencyCode>;
};

export type PeriodUnit =
  | 'days'
  | 'months'
  | 'years';

export type Permission =
  | 'manage'
  | 'read'
  | 'refund'
  | 'sell'
  | 'transfers'
  | 'write';

export type PermissionError = {
  __typename: 'PermissionError';
  code: ErrorCode;
  message: string;
};

export type PhoneInput = {
  code: string;
  phone: string;
};

export type PointOfSale = {
  __typename: 'PointOfSale';
  currencies: Array<CurrencyCode>;
  items: Array<CounterItem>;
  sales: Array<CounterSale>;
};

export type PollBankFeedInput = {
  id: ID;
};

export type PollBankFeedResult =
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | PollBankFeedSuccess
  | RateLimitedError
  | UnprocessableError;

export type PollBankFeedSuccess = {
  __typename: 'PollBankFeedSuccess';
  bankFeed: BankFeed;
};

export type PreviewStatementInput = {
  mapping?: StatementMappingInput | null | undefined;
  receivingAccountId: ID;
  uploadId: ID;
};

export type PreviewStatementResult =
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | PreviewStatementSuccess
  | RateLimitedError
  | UnprocessableError;

export type PreviewStatementSuccess = {
  __typename: 'PreviewStatementSuccess';
  preview: StatementPreview;
};

export type ProcessFeedDeliveryInput = {
  id: ID;
};

export type ProcessFeedDeliveryResult =
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | ProcessFeedDeliverySuccess
  | RateLimitedError
  | UnprocessableError;

export type ProcessFeedDeliverySuccess = {
  __typename: 'ProcessFeedDeliverySuccess';
  feedDelivery: FeedDelivery;
};

export type PromptPayDetailsInput = {
  bank?: string | null | undefined;
  billerId?: string | null | undefined;
  eWalletId?: string | null | undefined;
  mobile?: string | null | undefined;
  reference2?: string | null | undefined;
  taxId?: string | null | undefined;
};

export type Query = {
  __typename: 'Query';
  alert: Alert | null;
  alerts: AlertConnection | null;
  allocation: Allocation | null;
  apiKey: ApiKey | null;
  apiKeys: ApiKeyConnection | null;
  auditEntries: AuditEntryConnection | null;
  auditEntry: AuditEntry | null;
  bankFeed: BankFeed | null;
  bankFeeds: BankFeedConnection | null;
  books: Array<BookTotals> | null;
  certificate: Certificate | null;
  certificates: CertificateConnection | null;
  charge: Charge | null;
  charges: ChargeConnection | null;
  checkoutLink: CheckoutLink | null;
  checkoutLinks: CheckoutLinkConnection | null;
  collectedAmounts: Array<CollectedAmount> | null;
  currencies: Array<CurrencyCode> | null;
  customer: Customer | null;
  customers: CustomerConnection | null;
  dailyCollectedAmounts: Array<DailyCollectedAmounts> | null;
  dataAsOf: DateTime | null;
  event: Event | null;
  events: EventConnection | null;
  exchangeRates: Array<ExchangeRate> | null;
  export: Export | null;
  exports: ExportConnection | null;
  feedDeliveries: FeedDeliveryConnection | null;
  feedDelivery: FeedDelivery | null;
  forex: ForexQuote | null;
  ignoreRulePreview: IgnoreRulePreview | null;
  installationHealth: InstallationHealth | null;
  invitationPreview: InvitationPreview | null;
  invoice: Invoice | null;
  invoices: InvoiceConnection | null;
  me: Merchant | null;
  merchant: Merchant | null;
  merchants: MerchantConnection | null;
  missingExchangeRates: Array<MissingExchangeRate> | null;
  node: Node | null;
  nodes: Array<Node | null>;
  notification: Notification | null;
  notificationAttempt: NotificationAttempt | null;
  notifications: NotificationConnection | null;
  operationNames: Array<string> | null;
  outboundMessage: OutboundMessage | null;
  outboundMessages: OutboundMessageConnection | null;
  paymentMethods: Array<PaymentMethod> | null;
  periodSummary: PeriodSummary | null;
  pointOfSale: PointOfSale | null;
  receivingAccount: ReceivingAccount | null;
  receivingAccountForms: Array<ReceivingAccountForm> | null;
  receivingAccounts: ReceivingAccountConnection | null;
  reconciliation: Reconciliation | null;
  refund: Refund | null;
  refunds: RefundConnection | null;
  refundsAwaitingPayout: RefundConnection | null;
  search: SearchResults | null;
  session: CheckoutSession | null;
  sessions: CheckoutSessionConnection | null;
  statement: Statement | null;
  statementPendingEntries: Array<StatementPendingEntry> | null;
  statementUndoPreview: StatementUndoPreview | null;
  statements: StatementConnection | null;
  subscription: SubscriptionContract | null;
  subscriptionPlan: SubscriptionPlan | null;
  subscriptionPlans: SubscriptionPlanConnection | null;
  subscriptionSummary: SubscriptionSummary | null;
  subscriptions: SubscriptionContractConnection | null;
  testClock: TestClock | null;
  transfer: Transfer | null;
  transfers: TransferConnection | null;
  translation: Translation | null;
  user: MerchantUser | null;
  userInvitation: UserInvitation | null;
  userInvitations: UserInvitationConnection | null;
  users: MerchantUserConnection | null;
  viewer: Viewer | null;
  webhook: Webhook | null;
  webhooks: WebhookConnection | null;
};

export type QueueHealth = {
  __typename: 'QueueHealth';
  delaySeconds: Float | null;
  name: QueueName;
  waitingCount: Int | null;
};

export type QueueName =
  | 'events'
  | 'exports'
  | 'feed_deliveries'
  | 'jobs'
  | 'messages'
  | 'notifications'
  | 'statements';

export type RateLimitedError = {
  __typename: 'RateLimitedError';
  code: ErrorCode;
  message: string;
  retryAfterSeconds: Int | null;
};

export type ReauthenticateInput = {
  code?: string | null | undefined;
  password?: string | null | undefined;
};

export type ReauthenticateResult =
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | ReauthenticateSuccess
  | UnprocessableError;

export type ReauthenticateSuccess = {
  __typename: 'ReauthenticateSuccess';
  viewer: Viewer;
};

export type ReceivingAccount = {
  __typename: 'ReceivingAccount';
  account: string;
  accountName: string;
  bank: string;
  canCarryReference: boolean;
  country: CountryCode;
  createdAt: DateTime;
  currency: CurrencyCode;
  details: Array<ReceivingAccountDetail>;
  id: ID;
  ignoredTexts: Array<string>;
  isDemo: boolean;
  maxAmount: Decimal | null;
  maxAmountOffset: Int | null;
  maxBankFee: Decimal | null;
  maxBankFeeRate: Decimal | null;
  method: PaymentMethodCode;
  minAmount: Decimal | null;
  paymentWindowMinutes: Int | null;
  retiredAt: DateTime | null;
  reusesBankReferences: boolean;
  sameBankAccounts: Array<ReceivingAccount>;
  sampleDestination: Destination | null;
  statementMapping: StatementMapping | null;
  status: ReceivingAccountStatus;
  timeZone: string;
  updatedAt: DateTime;
  weight: Int;
};

export type ReceivingAccountConnection = {
  __typename: 'ReceivingAccountConnection';
  edges: Array<ReceivingAccountEdge>;
  nodes: Array<ReceivingAccount>;
  pageInfo: PageInfo;
  totalCount: Int;
};

export type ReceivingAccountDetail = {
  __typename: 'ReceivingAccountDetail';
  description: string;
  name: string;
  value: string;
};

export type ReceivingAccountDetailsInput = {
  auBankTransfer?: AuBankTransferDetailsInput | null | undefined;
  duitNow?: DuitNowDetailsInput | null | undefined;
  fps?: FpsDetailsInput | null | undefined;
  gojekId?: GojekIdDetailsInput | null | undefined;
  hkBankTransfer?: HkBankTransferDetailsInput | null | undefined;
  idBankTransfer?: IdBankTransferDetailsInput | null | undefined;
  inBankTransfer?: InBankTransferDetailsInput | null | undefined;
  instapay?: InstapayDetailsInput | null | undefined;
  nzBankTransfer?: NzBankTransferDetailsInput | null | undefined;
  paynow?: PaynowDetailsInput | null | undefined;
  promptPay?: PromptPayDetailsInput | null | undefined;
  toss?: TossDetailsInput | null | undefined;
  viettelPay?: ViettelPayDetailsInput | null | undefined;
};

export type ReceivingAccountEdge = {
  __typename: 'ReceivingAccountEdge';
  cursor: string;
  node: ReceivingAccount;
};

export type ReceivingAccountFilter = {
  currency?: CurrencyCode | null | undefined;
  method?: PaymentMethodCode | null | undefined;
  statuses?: Array<ReceivingAccountStatus> | null | undefined;
};

export type ReceivingAccountForm = {
  __typename: 'ReceivingAccountForm';
  country: CountryCode;
  currency: CurrencyCode;
  description: string;
  fields: Array<ReceivingAccountFormField>;
  inputField: string;
  mayLackReference: boolean;
  method: PaymentMethodCode;
  methodName: string;
};

export type ReceivingAccountFormBank = {
  __typename: 'ReceivingAccountFormBank';
  code: string;
  name: string;
};

export type ReceivingAccountFormField = {
  __typename: 'ReceivingAccountFormField';
  banks: Array<ReceivingAccountFormBank>;
  description: string;
  example: string;
  isQrCode: boolean;
  isRequired: boolean;
  name: string;
};

export type ReceivingAccountStatus =
  | 'active'
  | 'retired';

export type Reconciliation = {
  __typename: 'Reconciliation';
  endDate: Date;
  endsAt: DateTime;
  lines: Array<ReconciliationLine>;
  startDate: Date;
  startsAt: DateTime;
  statementGaps: Array<StatementGap>;
  timeZone: string;
};

export type ReconciliationLine = {
  __typename: 'ReconciliationLine';
  closingBalance: Decimal;
  currency: CurrencyCode;
  exceptionAmount: Decimal;
  feeAmount: Decimal;
  matchedAmount: Decimal;
  openingBalance: Decimal;
  otherIncomingAmount: Decimal;
  otherOutgoingAmount: Decimal;
  partialAmount: Decimal;
  possibleDuplicateAmount: Decimal;
  receivedAmount: Decimal;
  receivingAccount: ReceivingAccount;
  refundedAmount: Decimal;
  returnedAmount: Decimal;
};

export type RecordTransfersInput = {
  transfers: Array<TransferInput>;
};

export type RecordTransfersResult =
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | RecordTransfersSuccess
  | UnprocessableError;

export type RecordTransfersSuccess = {
  __typename: 'RecordTransfersSuccess';
  results: Array<RecordedTransfer>;
};

export type RecordedTransfer = {
  __typename: 'RecordedTransfer';
  bankReference: string;
  charge: Charge | null;
  detail: string | null;
  reason: TransferExceptionReason | null;
  status: TransferStatus;
  transfer: Transfer | null;
};

export type RecurringPayment = {
  __typename: 'RecurringPayment';
  amount: Decimal;
  count: Int;
  period: PeriodUnit;
};

export type RecurringPaymentInput = {
  amount: Decimal;
  count: Int;
  period: PeriodUnit;
};

export type ReferencePlacement =
  | 'by_merchant'
  | 'in_code'
  | 'uncertain'
  | 'written';

export type Refund = {
  __typename: 'Refund';
  charge: Charge;
  completedAt: DateTime | null;
  completionUndoneAt: DateTime | null;
  createdAt: DateTime;
  customer: Customer | null;
  customerAmount: Decimal;
  customerCurrency: CurrencyCode;
  detailsUrl: string | null;
  events: Array<Event> | null;
  id: ID;
  metadata: Array<MetadataEntry> | null;
  method: PaymentMethodCode;
  note: string | null;
  payerAccounts: Array<PayerAccount> | null;
  payingAccount: ReceivingAccount | null;
  payoutCountry: CountryCode | null;
  payoutDetails: PayoutDetails | null;
  payoutExportedAt: DateTime | null;
  payoutReference: string | null;
  payoutScheme: PayoutScheme | null;
  payouts: Array<RefundPayout> | null;
  reason: RefundReason | null;
  reopenReason: string | null;
  status: RefundStatus;
  unresolvedReturnTransfer: Transfer | null;
  updatedAt: DateTime;
};

export type RefundConnection = {
  __typename: 'RefundConnection';
  edges: Array<RefundEdge>;
  nodes: Array<Refund>;
  pageInfo: PageInfo;
  totalCount: Int;
};

export type RefundEdge = {
  __typename: 'RefundEdge';
  cursor: string;
  node: Refund;
};

export type RefundEventPayload = {
  __typename: 'RefundEventPayload';
  chargeId: ID | null;
  customerAmount: Decimal | null;
  customerCurrency: CurrencyCode | null;
  metadata: Array<MetadataEntry> | null;
  method: PaymentMethodCode | null;
  notifyPayload: string | null;
  refundId: ID | null;
  refundStatus: RefundStatus | null;
};

export type RefundFilter = {
  chargeId?: ID | null | undefined;
  createdFrom?: DateTime | null | undefined;
  createdTo?: DateTime | null | undefined;
  customerAmount?: AmountRangeInput | null | undefined;
  customerCurrency?: CurrencyCode | null | undefined;
  customerEmail?: string | null | undefined;
  customerPhone?: string | null | undefined;
  metadata?: MetadataEntryInput | null | undefined;
  method?: PaymentMethodCode | null | undefined;
  notifyPayload?: string | null | undefined;
  receivingAccountId?: ID | null | undefined;
  statuses?: Array<RefundStatus> | null | undefined;
};

export type RefundPayout = {
  __typename: 'RefundPayout';
  actor: Actor;
  amount: Decimal;
  currency: CurrencyCode;
  id: ID;
  paidAt: DateTime;
  payingAccount: ReceivingAccount;
  payoutReference: string;
  returnTransfer: Transfer | null;
  transfer: Transfer | null;
};

export type RefundReason =
  | 'damaged'
  | 'duplicate'
  | 'not_delivered'
  | 'other'
  | 'overpaid'
  | 'requested_by_customer';

export type RefundStatus =
  | 'cancelled'
  | 'completed'
  | 'initiated'
  | 'processing';

export type RefundsAwaitingPayoutFilter = {
  currency?: CurrencyCode | null | undefined;
  isExported?: boolean | null | undefined;
  receivingAccountId?: ID | null | undefined;
};

export type RegenerateRecoveryCodesInput = {
  code: string;
};

export type RegenerateRecoveryCodesResult =
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | RegenerateRecoveryCodesSuccess
  | UnprocessableError;

export type RegenerateRecoveryCodesSuccess = {
  __typename: 'RegenerateRecoveryCodesSuccess';
  recoveryCodes: Array<string>;
  viewer: Viewer;
};

export type RemoveExchangeRateInput = {
  currency: CurrencyCode;
};

export type RemoveExchangeRateResult =
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | RemoveExchangeRateSuccess
  | UnprocessableError;

export type RemoveExchangeRateSuccess = {
  __typename: 'RemoveExchangeRateSuccess';
  currency: CurrencyCode;
};

export type RemoveUserInput = {
  id: ID;
};

export type RemoveUserResult =
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | RemoveUserSuccess
  | UnprocessableError;

export type RemoveUserSuccess = {
  __typename: 'RemoveUserSuccess';
  removedUserId: ID;
};

export type ReopenRefundInput = {
  id: ID;
  reason: string;
};

export type ReopenRefundResult =
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | ReopenRefundSuccess
  | UnprocessableError;

export type ReopenRefundSuccess = {
  __typename: 'ReopenRefundSuccess';
  refund: Refund;
};

export type ReplaceSubscriptionLinksInput = {
  id: ID;
};

export type ReplaceSubscriptionLinksResult =
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | ReplaceSubscriptionLinksSuccess
  | UnprocessableError;

export type ReplaceSubscriptionLinksSuccess = {
  __typename: 'ReplaceSubscriptionLinksSuccess';
  subscription: SubscriptionContract;
};

export type ReplayNotificationsInput = {
  createdFrom: DateTime;
  webhookId?: ID | null | undefined;
};

export type ReplayNotificationsResult =
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | ReplayNotificationsSuccess
  | UnprocessableError;

export type ReplayNotificationsSuccess = {
  __typename: 'ReplayNotificationsSuccess';
  hasMore: boolean;
  replayedCount: Int;
};

export type ReportingRate = {
  __typename: 'ReportingRate';
  currency: CurrencyCode;
  effectiveAt: DateTime;
  rate: Decimal;
};

export type RequestPasswordResetInput = {
  email: string;
};

export type RequestPasswordResetResult =
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | RequestPasswordResetSuccess
  | UnprocessableError;

export type RequestPasswordResetSuccess = {
  __typename: 'RequestPasswordResetSuccess';
  email: string;
};

export type RequestPhoneVerificationInput = {
  locale?: Locale | null | undefined;
  phone: PhoneInput;
};

export type RequestPhoneVerificationResult =
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | RequestPhoneVerificationSuccess
  | UnprocessableError;

export type RequestPhoneVerificationSuccess = {
  __typename: 'RequestPhoneVerificationSuccess';
  isSuccess: boolean;
};

export type RequestRestrictedAccessResult =
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | RequestRestrictedAccessSuccess
  | UnprocessableError;

export type RequestRestrictedAccessSuccess = {
  __typename: 'RequestRestrictedAccessSuccess';
  merchant: Merchant;
  monthlyVolumes: Array<MonthlyVolume>;
};

export type ResendInvitationInput = {
  id: ID;
};

export type ResendInvitationResult =
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | ResendInvitationSuccess
  | UnprocessableError;

export type ResendInvitationSuccess = {
  __typename: 'ResendInvitationSuccess';
  invitation: UserInvitation;
  invitationUrl: string | null;
};

export type ResendInvoiceInput = {
  id: ID;
};

export type ResendInvoiceResult =
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | ResendInvoiceSuccess
  | UnprocessableError;

export type ResendInvoiceSuccess = {
  __typename: 'ResendInvoiceSuccess';
  invoice: Invoice;
};

export type ResendNotificationInput = {
  id: ID;
};

export type ResendNotificationResult =
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | ResendNotificationSuccess
  | UnprocessableError;

export type ResendNotificationSuccess = {
  __typename: 'ResendNotificationSuccess';
  notification: Notification;
};

export type ResetPasswordInput = {
  newPassword: string;
  token: string;
};

export type ResetPasswordResult =
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | ResetPasswordSuccess
  | UnprocessableError;

export type ResetPasswordSuccess = {
  __typename: 'ResetPasswordSuccess';
  email: string;
};

export type RestrictedAccess =
  | 'granted'
  | 'none'
  | 'requested';

export type ResumeSubscriptionInput = {
  id: ID;
};

export type ResumeSubscriptionResult =
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | ResumeSubscriptionSuccess
  | UnprocessableError;

export type ResumeSubscriptionSuccess = {
  __typename: 'ResumeSubscriptionSuccess';
  subscription: SubscriptionContract;
};

export type ReturnTransferInput = {
  amount?: Decimal | null | undefined;
  id: ID;
  note?: string | null | undefined;
};

export type ReturnTransferResult =
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | ReturnTransferSuccess
  | UnprocessableError;

export type ReturnTransferSuccess = {
  __typename: 'ReturnTransferSuccess';
  transfer: Transfer;
};

export type RevokeApiKeyInput = {
  id: ID;
};

export type RevokeApiKeyResult =
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | RevokeApiKeySuccess
  | UnprocessableError;

export type RevokeApiKeySuccess = {
  __typename: 'RevokeApiKeySuccess';
  apiKey: ApiKey;
};

export type RevokeCertificateInput = {
  id: ID;
};

export type RevokeCertificateResult =
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | RevokeCertificateSuccess
  | UnprocessableError;

export type RevokeCertificateSuccess = {
  __typename: 'RevokeCertificateSuccess';
  certificate: Certificate;
};

export type RotateApiKeyInput = {
  id: ID;
  overlapHours?: Int | null | undefined;
};

export type RotateApiKeyResult =
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | RotateApiKeySuccess
  | UnprocessableError;

export type RotateApiKeySuccess = {
  __typename: 'RotateApiKeySuccess';
  apiKey: ApiKey;
  previousApiKey: ApiKey;
  secret: string | null;
};

export type RotateWebhookSecretInput = {
  id: ID;
  overlapHours?: Int | null | undefined;
};

export type RotateWebhookSecretResult =
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | RotateWebhookSecretSuccess
  | UnprocessableError;

export type RotateWebhookSecretSuccess = {
  __typename: 'RotateWebhookSecretSuccess';
  signingSecret: string | null;
  webhook: Webhook;
};

export type SearchResults = {
  __typename: 'SearchResults';
  charges: Array<Charge>;
  customers: Array<Customer>;
  invoices: Array<Invoice>;
  refunds: Array<Refund>;
  subscriptions: Array<SubscriptionContract>;
  transfers: Array<Transfer>;
};

export type SearchedType =
  | 'charge'
  | 'customer'
  | 'invoice'
  | 'refund'
  | 'subscription'
  | 'transfer';

export type SellerMetrics = {
  __typename: 'SellerMetrics';
  chargeCount: Int;
  collectedAmount: Decimal;
  currency: CurrencyCode;
  name: string | null;
  refundedAmount: Decimal;
  sellerId: ID;
};

export type SendReceiptInput = {
  id: ID;
};

export type SendReceiptResult =
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | SendReceiptSuccess
  | UnprocessableError;

export type SendReceiptSuccess = {
  __typename: 'SendReceiptSuccess';
  charge: Charge;
};

export type SendTestNoticeInput = {
  channel: NoticeChannel;
};

export type SendTestNoticeResult =
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | SendTestNoticeSuccess
  | UnprocessableError;

export type SendTestNoticeSuccess = {
  __typename: 'SendTestNoticeSuccess';
  outboundMessage: OutboundMessage;
  viewer: Viewer;
};

export type SendTestNotificationInput = {
  webhookId?: ID | null | undefined;
};

export type SendTestNotificationResult =
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | SendTestNotificationSuccess
  | UnprocessableError;

export type SendTestNotificationSuccess = {
  __typename: 'SendTestNotificationSuccess';
  notifications: Array<Notification>;
};

export type SessionEventPayload = {
  __typename: 'SessionEventPayload';
  amount: Decimal | null;
  currency: CurrencyCode | null;
  metadata: Array<MetadataEntry> | null;
  notifyPayload: string | null;
  orders: Array<Order> | null;
  sessionId: ID | null;
  sessionStatus: SessionStatus | null;
};

export type SessionFilter = {
  metadata?: MetadataEntryInput | null | undefined;
  notifyPayload?: string | null | undefined;
};

export type SessionOffer = {
  __typename: 'SessionOffer';
  country: CountryCode;
  customerAmount: Decimal;
  customerCurrency: CurrencyCode;
  method: PaymentMethodCode;
  methodName: string;
};

export type SessionStatus =
  | 'cancelled'
  | 'charged'
  | 'created'
  | 'expired'
  | 'initiated';

export type SetExchangeRateInput = {
  currency: CurrencyCode;
  rate: Decimal;
};

export type SetExchangeRateResult =
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | SetExchangeRateSuccess
  | UnprocessableError;

export type SetExchangeRateSuccess = {
  __typename: 'SetExchangeRateSuccess';
  exchangeRate: ExchangeRate;
};

export type SetMerchantEnabledInput = {
  isEnabled: boolean;
  merchantId: ID;
};

export type SetMerchantEnabledResult =
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | SetMerchantEnabledSuccess
  | UnprocessableError;

export type SetMerchantEnabledSuccess = {
  __typename: 'SetMerchantEnabledSuccess';
  merchant: Merchant;
};

export type SetOperationsEnabledInput = {
  isEnabled: boolean;
  merchantId: ID;
  operations: Array<string>;
};

export type SetOperationsEnabledResult =
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | SetOperationsEnabledSuccess
  | UnprocessableError;

export type SetOperationsEnabledSuccess = {
  __typename: 'SetOperationsEnabledSuccess';
  merchant: Merchant;
};

export type SetupProgress = {
  __typename: 'SetupProgress';
  hasLivePayment: boolean;
  hasReceivingAccount: boolean;
  hasTeam: boolean;
  hasTestCheckout: boolean;
  hasTestPayment: boolean;
  hasTransferSource: boolean;
  hasWebhook: boolean;
};

export type SharedLink = {
  __typename: 'SharedLink';
  description: string;
  imageUrl: string | null;
  posterUrl: string;
  siteName: string;
  title: string;
  url: string;
};

export type SignInInput = {
  code?: string | null | undefined;
  email: string;
  password: string;
};

export type SignInResult =
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | SignInSuccess
  | UnprocessableError;

export type SignInSuccess = {
  __typename: 'SignInSuccess';
  viewer: Viewer;
};

export type SignOutEverywhereInput = {
  keepCurrent: boolean;
};

export type SignOutEverywhereResult =
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | SignOutEverywhereSuccess
  | UnprocessableError;

export type SignOutEverywhereSuccess = {
  __typename: 'SignOutEverywhereSuccess';
  endedSessionCount: Int;
  viewer: Viewer | null;
};

export type SignOutResult =
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | SignOutSuccess
  | UnprocessableError;

export type SignOutSuccess = {
  __typename: 'SignOutSuccess';
  viewer: Viewer | null;
};

export type SimulateCounterPaymentInput = {
  id: ID;
};

export type SimulateCounterPaymentResult =
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | SimulateCounterPaymentSuccess
  | UnprocessableError;

export type SimulateCounterPaymentSuccess = {
  __typename: 'SimulateCounterPaymentSuccess';
  counterSale: CounterSale;
};

export type SimulateTransferInput = {
  amount?: Decimal | null | undefined;
  chargeId: ID;
  kind: TransferSimulationKind;
};

export type SimulateTransferResult =
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | SimulateTransferSuccess
  | UnprocessableError;

export type SimulateTransferSuccess = {
  __typename: 'SimulateTransferSuccess';
  charge: Charge;
  transfers: Array<Transfer>;
};

export type SkipSubscriptionPaymentInput = {
  id: ID;
};

export type SkipSubscriptionPaymentResult =
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | SkipSubscriptionPaymentSuccess
  | UnprocessableError;

export type SkipSubscriptionPaymentSuccess = {
  __typename: 'SkipSubscriptionPaymentSuccess';
  subscription: SubscriptionContract;
};

export type SplitTransferInput = {
  acceptShortfall?: boolean | null | undefined;
  id: ID;
  note?: string | null | undefined;
  parts: Array<SplitTransferPartInput>;
};

export type SplitTransferPartInput = {
  amount?: Decimal | null | undefined;
  chargeId: ID;
};

export type SplitTransferResult =
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | SplitTransferSuccess
  | UnprocessableError;

export type SplitTransferSuccess = {
  __typename: 'SplitTransferSuccess';
  charges: Array<Charge>;
  transfer: Transfer;
};

export type Statement = {
  __typename: 'Statement';
  balances: Array<StatementBalances>;
  confirmedAt: DateTime | null;
  confirmedBy: Actor | null;
  createdAt: DateTime;
  discrepancies: Array<StatementDiscrepancy>;
  discrepancyCount: Int;
  downloadUrl: string | null;
  entryCount: Int | null;
  error: StatementError | null;
  fileAccount: string | null;
  fileName: string;
  finishedAt: DateTime | null;
  format: StatementFormat | null;
  id: ID;
  importedBy: Actor;
  mapping: StatementMapping | null;
  needsReviewCount: Int;
  notes: Array<string>;
  progress: Float;
  receivingAccount: ReceivingAccount;
  recordedCount: Int;
  resultCounts: StatementResultCounts;
  sha256: string;
  sizeBytes: Int;
  status: StatementStatus;
  transfers: TransferConnection;
  undoneAt: DateTime | null;
  undoneBy: Actor | null;
  undoneCount: Int;
};

export type StatementAmountFormat =
  | 'direction_column'
  | 'separate_columns'
  | 'signed';

export type StatementBalances = {
  __typename: 'StatementBalances';
  account: string | null;
  closedOn: Date | null;
  closingBalance: Decimal;
  currency: CurrencyCode;
  openedOn: Date | null;
  openingBalance: Decimal;
};

export type StatementConnection = {
  __typename: 'StatementConnection';
  edges: Array<StatementEdge>;
  nodes: Array<Statement>;
  pageInfo: PageInfo;
  totalCount: Int;
};

export type StatementDateOrder =
  | 'dmy'
  | 'mdy'
  | 'ymd';

export type StatementDiscrepancy = {
  __typename: 'StatementDiscrepancy';
  actual: string;
  currency: CurrencyCode | null;
  difference: Decimal | null;
  expected: string;
  kind: StatementDiscrepancyKind;
  line: Int;
};

export type StatementDiscrepancyKind =
  | 'account_count'
  | 'account_mismatch'
  | 'closing_balance'
  | 'continuity'
  | 'control_total'
  | 'credit_count'
  | 'credit_sum'
  | 'currency_mismatch'
  | 'debit_count'
  | 'debit_sum'
  | 'entry_count'
  | 'entry_sum'
  | 'group_count'
  | 'net_sum'
  | 'page_missing'
  | 'record_count'
  | 'running_balance';

export type StatementEdge = {
  __typename: 'StatementEdge';
  cursor: string;
  node: Statement;
};

export type StatementError = {
  __typename: 'StatementError';
  line: Int | null;
  message: string;
};

export type StatementFilter = {
  receivingAccountId?: ID | null | undefined;
  statuses?: Array<StatementStatus> | null | undefined;
};

export type StatementFormat =
  | 'bai2'
  | 'camt_052'
  | 'camt_053'
  | 'camt_054'
  | 'csv'
  | 'html'
  | 'mt940'
  | 'mt942'
  | 'ofx'
  | 'qif'
  | 'xlsx';

export type StatementGap = {
  __typename: 'StatementGap';
  closedOn: Date | null;
  closingBalance: Decimal;
  currency: CurrencyCode;
  difference: Decimal;
  nextStatementId: ID;
  openedOn: Date | null;
  openingBalance: Decimal;
  previousStatementId: ID;
  receivingAccount: ReceivingAccount;
};

export type StatementMapping = {
  __typename: 'StatementMapping';
  accountColumn: string | null;
  amountColumn: string | null;
  amountFormat: StatementAmountFormat;
  balanceColumn: string | null;
  bankReferenceColumn: string | null;
  bookedValues: Array<string> | null;
  creditColumn: string | null;
  creditValues: Array<string> | null;
  currencyColumn: string | null;
  dateColumn: string;
  dateOrder: StatementDateOrder;
  debitColumn: string | null;
  debitValues: Array<string> | null;
  decimalMark: string;
  delimiter: string;
  directionColumn: string | null;
  encoding: string;
  footerRows: Int;
  hasBuddhistYears: boolean;
  hasHeader: boolean;
  ignoredValues: Array<string> | null;
  isCreditNegative: boolean;
  payerAccountColumn: string | null;
  payerNameColumn: string | null;
  referenceColumns: Array<string>;
  sheet: string | null;
  skipLines: Int;
  statusColumn: string | null;
  timeColumn: string | null;
  valueDateColumn: string | null;
};

export type StatementMappingInput = {
  accountColumn?: string | null | undefined;
  amountColumn?: string | null | undefined;
  amountFormat: StatementAmountFormat;
  balanceColumn?: string | null | undefined;
  bankReferenceColumn?: string | null | undefined;
  bookedValues?: Array<string> | null | undefined;
  creditColumn?: string | null | undefined;
  creditValues?: Array<string> | null | undefined;
  currencyColumn?: string | null | undefined;
  dateColumn: string;
  dateOrder: StatementDateOrder;
  debitColumn?: string | null | undefined;
  debitValues?: Array<string> | null | undefined;
  decimalMark: string;
  delimiter: string;
  directionColumn?: string | null | undefined;
  encoding: string;
  footerRows: Int;
  hasBuddhistYears: boolean;
  hasHeader: boolean;
  ignoredValues?: Array<string> | null | undefined;
  isCreditNegative?: boolean | null | undefined;
  payerAccountColumn?: string | null | undefined;
  payerNameColumn?: string | null | undefined;
  referenceColumns: Array<string>;
  sheet?: string | null | undefined;
  skipLines: Int;
  statusColumn?: string | null | undefined;
  timeColumn?: string | null | undefined;
  valueDateColumn?: string | null | undefined;
};

export type StatementMappingOrigin =
  | 'detected'
  | 'provided'
  | 'saved';

export type StatementPendingEntry = {
  __typename: 'StatementPendingEntry';
  entry: StatementPreviewEntry;
  transfer: Transfer | null;
};

export type StatementPreview = {
  __typename: 'StatementPreview';
  accounts: Array<string>;
  bank: string | null;
  columns: Array<string>;
  discrepancies: Array<StatementDiscrepancy>;
  entryCount: Int;
  errors: Array<StatementError>;
  fileAccount: string | null;
  format: StatementFormat | null;
  isComplete: boolean;
  mapping: StatementMapping | null;
  mappingOrigin: StatementMappingOrigin | null;
  notes: Array<string>;
  questions: Array<StatementQuestion>;
  rows: Array<StatementPreviewRow>;
};

export type StatementPreviewEntry = {
  __typename: 'StatementPreviewEntry';
  amount: Decimal;
  bankReference: string | null;
  currency: CurrencyCode;
  date: string | null;
  direction: TransferDirection;
  isBooked: boolean;
  isReversal: boolean;
  payerName: string | null;
  reference: string;
  skipReason: StatementSkipReason | null;
};

export type StatementPreviewRow = {
  __typename: 'StatementPreviewRow';
  cells: Array<string>;
  charge: Charge | null;
  entry: StatementPreviewEntry | null;
  line: Int;
  status: TransferStatus | null;
};

export type StatementQuestion = {
  __typename: 'StatementQuestion';
  kind: StatementQuestionKind;
  sample: string;
};

export type StatementQuestionKind =
  | 'date_order'
  | 'decimal_mark'
  | 'direction'
  | 'sheet'
  | 'sign'
  | 'status';

export type StatementResultCounts = {
  __typename: 'StatementResultCounts';
  dismissed: Int;
  duplicate: Int;
  exception: Int;
  ignored: Int;
  matched: Int;
  outgoing: Int;
  over: Int;
  partial: Int;
  returned: Int;
};

export type StatementSkipReason =
  | 'information'
  | 'pending'
  | 'provisional'
  | 'zero_amount';

export type StatementStatus =
  | 'awaiting_confirmation'
  | 'cancelled'
  | 'completed'
  | 'failed'
  | 'queued'
  | 'running'
  | 'undoing'
  | 'undone';

export type StatementUndoPreview = {
  __typename: 'StatementUndoPreview';
  blockingRefundCount: Int;
  blockingRefunds: Array<Refund>;
  canUndo: boolean;
  cancelledRefundCount: Int;
  completedChargeCount: Int;
  dismissedCount: Int;
  openChargeCount: Int;
  payoutCount: Int;
  restoredCount: Int;
  returnedCount: Int;
  subscriptionCount: Int;
  takenOverCount: Int;
  transferCount: Int;
};

export type SubmitRefundDetailsInput = {
  account: string;
  accountName: string;
  bank?: string | null | undefined;
  id: ID;
  scheme?: PayoutScheme | null | undefined;
};

export type SubmitRefundDetailsResult =
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | SubmitRefundDetailsSuccess
  | UnprocessableError;

export type SubmitRefundDetailsSuccess = {
  __typename: 'SubmitRefundDetailsSuccess';
  refund: Refund;
};

export type Subscription = {
  __typename: 'Subscription';
  chargeUpdated: Charge | null;
  chargesUpdated: Charge;
  counterSaleUpdated: CounterSale | null;
  eventAdded: EventEdge;
  notificationUpdated: Notification | null;
  notificationsUpdated: Notification;
  refundUpdated: Refund | null;
  refundsUpdated: Refund;
  sessionUpdated: CheckoutSession | null;
  subscriptionUpdated: SubscriptionContract | null;
  subscriptionsUpdated: SubscriptionContract;
  transfersUpdated: Transfer;
};

export type SubscriptionContract = {
  __typename: 'SubscriptionContract';
  activeUntil: DateTime | null;
  createdAt: DateTime;
  customer: Customer;
  customerCurrency: CurrencyCode;
  email: string | null;
  endedAt: DateTime | null;
  events: Array<Event>;
  firstName: string | null;
  hasOptedOutOfReminders: boolean;
  hasReversedPayment: boolean;
  id: ID;
  lastName: string | null;
  locale: Locale;
  manageUrl: string;
  metadata: Array<MetadataEntry> | null;
  method: PaymentMethodCode;
  nextPaymentAt: DateTime | null;
  notifyPayload: string | null;
  numPaymentsComplete: Int;
  openInvoice: Invoice | null;
  pausedAt: DateTime | null;
  phase: SubscriptionPhase;
  phone: string | null;
  price: Decimal;
  recentCharges: Array<Charge>;
  recentInvoices: Array<Invoice>;
  resumesAt: DateTime | null;
  status: SubscriptionStatus;
  subscriptionPlan: SubscriptionPlan;
  termsChanges: Array<SubscriptionTermsChange>;
  totalAmount: Decimal;
  updatedAt: DateTime;
};

export type SubscriptionContractConnection = {
  __typename: 'SubscriptionContractConnection';
  edges: Array<SubscriptionContractEdge>;
  nodes: Array<SubscriptionContract>;
  pageInfo: PageInfo;
  totalCount: Int;
};

export type SubscriptionContractEdge = {
  __typename: 'SubscriptionContractEdge';
  cursor: string;
  node: SubscriptionContract;
};

export type SubscriptionEventPayload = {
  __typename: 'SubscriptionEventPayload';
  activeUntil: DateTime | null;
  chargeId: ID | null;
  metadata: Array<MetadataEntry> | null;
  nextPaymentAt: DateTime | null;
  notifyPayload: string | null;
  numPaymentsComplete: Int | null;
  phase: SubscriptionPhase | null;
  subscriptionId: ID | null;
  subscriptionPlanId: ID | null;
  subscriptionStatus: SubscriptionStatus | null;
};

export type SubscriptionFilter = {
  createdFrom?: DateTime | null | undefined;
  createdTo?: DateTime | null | undefined;
  customerCurrency?: CurrencyCode | null | undefined;
  customerEmail?: string | null | undefined;
  customerPhone?: string | null | undefined;
  metadata?: MetadataEntryInput | null | undefined;
  notifyPayload?: string | null | undefined;
  statuses?: Array<SubscriptionStatus> | null | undefined;
  subscriptionPlanId?: ID | null | undefined;
};

export type SubscriptionPhase =
  | 'active'
  | 'awaiting_first_payment'
  | 'cancelled'
  | 'completed'
  | 'paused';

export type SubscriptionPlan = {
  __typename: 'SubscriptionPlan';
  activeSubscriptionCount: Int;
  createdAt: DateTime;
  currency: CurrencyCode;
  gracePeriodDays: Int;
  hasOrderMismatch: boolean;
  id: ID;
  initialPayment: InitialPayment | null;
  invoiceNoticeDays: Int;
  methods: Array<PaymentMethodCode>;
  name: string;
  numPayments: Int | null;
  orders: Array<Order>;
  recurringPayment: RecurringPayment;
  selectedMethods: Array<PaymentMethodCode>;
  sendEmail: boolean;
  status: SubscriptionPlanStatus;
  subscriptionCount: Int;
  tax: Tax | null;
  totalAmount: Decimal;
  updatedAt: DateTime;
};

export type SubscriptionPlanConnection = {
  __typename: 'SubscriptionPlanConnection';
  edges: Array<SubscriptionPlanEdge>;
  nodes: Array<SubscriptionPlan>;
  pageInfo: PageInfo;
  totalCount: Int;
};

export type SubscriptionPlanEdge = {
  __typename: 'SubscriptionPlanEdge';
  cursor: string;
  node: SubscriptionPlan;
};

export type SubscriptionPlanFilter = {
  createdFrom?: DateTime | null | undefined;
  createdTo?: DateTime | null | undefined;
  currency?: CurrencyCode | null | undefined;
  statuses?: Array<SubscriptionPlanStatus> | null | undefined;
};

export type SubscriptionPlanStatus =
  | 'active'
  | 'inactive';

export type SubscriptionStatus =
  | 'active'
  | 'cancelled'
  | 'completed'
  | 'inactive';

export type SubscriptionSummary = {
  __typename: 'SubscriptionSummary';
  activeCount: Int;
  dueSoonCount: Int;
  monthlyRecurringRevenue: Array<MonthlyRecurringRevenue>;
  pausedCount: Int;
};

export type SubscriptionTermsChange = {
  __typename: 'SubscriptionTermsChange';
  eventId: ID;
  planAfter: SubscriptionPlan;
  planBefore: SubscriptionPlan;
  priceAfter: Decimal;
  priceBefore: Decimal;
};

export type Tax = {
  __typename: 'Tax';
  isInclusive: boolean;
  name: string;
  rate: Decimal;
};

export type TaxInput = {
  isInclusive?: boolean | null | undefined;
  name: string;
  rate: Decimal;
};

export type TestClock = {
  __typename: 'TestClock';
  advancingTo: DateTime | null;
  id: ID;
  isAdvancing: boolean;
  now: DateTime;
};

export type TossDetailsInput = {
  account?: string | null | undefined;
  bank?: string | null | undefined;
  bankCode?: string | null | undefined;
};

export type Transfer = {
  __typename: 'Transfer';
  allocations: Array<Allocation>;
  amount: Decimal;
  amountUnallocated: Decimal;
  assignee: Actor | null;
  bankReference: string | null;
  charges: Array<Charge>;
  createdAt: DateTime;
  currency: CurrencyCode;
  direction: TransferDirection;
  duplicateCandidates: Array<Transfer>;
  duplicateMark: DuplicateMark | null;
  duplicateOf: Transfer | null;
  id: ID;
  isPaidAtDateOnly: boolean;
  note: string | null;
  paidAt: DateTime;
  paidRefund: Refund | null;
  payerName: string | null;
  reason: TransferExceptionReason | null;
  receivingAccount: ReceivingAccount;
  reference: string;
  returnedRefund: Refund | null;
  source: TransferSource;
  statement: Statement | null;
  status: TransferStatus;
  suggestedSplit: Array<TransferSplitSuggestion>;
  suggestions: Array<TransferSuggestion>;
  undoneAt: DateTime | null;
  updatedAt: DateTime;
};

export type TransferConnection = {
  __typename: 'TransferConnection';
  edges: Array<TransferEdge>;
  nodes: Array<Transfer>;
  pageInfo: PageInfo;
  totalCount: Int;
};

export type TransferDirection =
  | 'credit'
  | 'debit';

export type TransferEdge = {
  __typename: 'TransferEdge';
  cursor: string;
  node: Transfer;
};

export type TransferEventPayload = {
  __typename: 'TransferEventPayload';
  amount: Decimal | null;
  bankReference: string | null;
  currency: CurrencyCode | null;
  paidAt: DateTime | null;
  payerName: string | null;
  reason: TransferExceptionReason | null;
  receivingAccountId: ID | null;
  reference: string | null;
  transferId: ID | null;
  transferStatus: TransferStatus | null;
};

export type TransferExceptionReason =
  | 'ambiguous_reference'
  | 'batch'
  | 'charge_cancelled'
  | 'charge_completed'
  | 'charge_expired'
  | 'id_reused'
  | 'invalid'
  | 'missing_reference'
  | 'mistyped_reference'
  | 'multiple_charges'
  | 'multiple_references'
  | 'multiple_refunds'
  | 'payout_amount_mismatch'
  | 'payout_not_expected'
  | 'payout_repeated'
  | 'payout_superseded'
  | 'possible_duplicate'
  | 'returned_payment'
  | 'reversed'
  | 'unassigned'
  | 'unknown_payout'
  | 'unknown_reference'
  | 'unknown_reversal'
  | 'wrong_account'
  | 'wrong_currency';

export type TransferFilter = {
  amount?: AmountRangeInput | null | undefined;
  assigneeId?: ID | null | undefined;
  direction?: TransferDirection | null | undefined;
  paidFrom?: DateTime | null | undefined;
  paidTo?: DateTime | null | undefined;
  reasons?: Array<TransferExceptionReason> | null | undefined;
  receivingAccountId?: ID | null | undefined;
  search?: string | null | undefined;
  sources?: Array<TransferSource> | null | undefined;
  statementId?: ID | null | undefined;
  statuses?: Array<TransferStatus> | null | undefined;
};

export type TransferInput = {
  account?: string | null | undefined;
  amount: Decimal;
  bankReference: string;
  currency: CurrencyCode;
  direction?: TransferDirection | null | undefined;
  method?: PaymentMethodCode | null | undefined;
  paidAt: string;
  payerName?: string | null | undefined;
  receivingAccountId?: ID | null | undefined;
  reference: string;
};

export type TransferSimulationKind =
  | 'duplicate_payment'
  | 'exact'
  | 'late'
  | 'missing_reference'
  | 'mistyped_reference'
  | 'overpaid'
  | 'reversed'
  | 'underpaid'
  | 'wrong_currency';

export type TransferSource =
  | 'feed'
  | 'manual'
  | 'simulation'
  | 'statement';

export type TransferSplitSuggestion = {
  __typename: 'TransferSplitSuggestion';
  amount: Decimal;
  charge: Charge;
};

export type TransferStatus =
  | 'dismissed'
  | 'duplicate'
  | 'exception'
  | 'matched'
  | 'outgoing'
  | 'over'
  | 'partial'
  | 'returned'
  | 'undone';

export type TransferSuggestion = {
  __typename: 'TransferSuggestion';
  charge: Charge;
  reasons: Array<TransferSuggestionReason>;
};

export type TransferSuggestionReason =
  | 'close_amount'
  | 'known_payer'
  | 'partial_reference'
  | 'replaced_reference'
  | 'same_amount'
  | 'same_payer'
  | 'same_price'
  | 'same_reference'
  | 'similar_reference'
  | 'undone_payment';

export type Translation = Record<string, unknown>;

export type UnassignTransferInput = {
  chargeId?: ID | null | undefined;
  id: ID;
  note?: string | null | undefined;
};

export type UnassignTransferResult =
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnassignTransferSuccess
  | UnprocessableError;

export type UnassignTransferSuccess = {
  __typename: 'UnassignTransferSuccess';
  transfer: Transfer;
};

export type UndoRefundCompletionInput = {
  id: ID;
};

export type UndoRefundCompletionResult =
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UndoRefundCompletionSuccess
  | UnprocessableError;

export type UndoRefundCompletionSuccess = {
  __typename: 'UndoRefundCompletionSuccess';
  refund: Refund;
};

export type UndoStatementInput = {
  id: ID;
};

export type UndoStatementResult =
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UndoStatementSuccess
  | UnprocessableError;

export type UndoStatementSuccess = {
  __typename: 'UndoStatementSuccess';
  statement: Statement;
};

export type UnprocessableError = {
  __typename: 'UnprocessableError';
  code: ErrorCode;
  errors: Array<FieldError>;
  message: string;
};

export type UpdateApiKeyInput = {
  allowedOrigins?: Array<string> | null | undefined;
  id: ID;
  name?: string | null | undefined;
  permissions?: Array<Permission> | null | undefined;
};

export type UpdateApiKeyResult =
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError
  | UpdateApiKeySuccess;

export type UpdateApiKeySuccess = {
  __typename: 'UpdateApiKeySuccess';
  apiKey: ApiKey;
};

export type UpdateBankFeedInput = {
  allowedAddresses?: Array<string> | null | undefined;
  apiUrl?: string | null | undefined;
  authentication?: string | null | undefined;
  credentials?: FeedCredentialsInput | null | undefined;
  customFormatJson?: string | null | undefined;
  id: ID;
  isPaused?: boolean | null | undefined;
  name?: string | null | undefined;
  pull?: BankFeedPullInput | null | undefined;
  receivingAccounts?: Array<BankFeedAccountInput> | null | undefined;
  signedPath?: string | null | undefined;
  silenceMinutes?: Int | null | undefined;
};

export type UpdateBankFeedResult =
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError
  | UpdateBankFeedSuccess;

export type UpdateBankFeedSuccess = {
  __typename: 'UpdateBankFeedSuccess';
  bankFeed: BankFeed;
};

export type UpdateChargeNoteInput = {
  id: ID;
  note?: string | null | undefined;
};

export type UpdateChargeNoteResult =
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError
  | UpdateChargeNoteSuccess;

export type UpdateChargeNoteSuccess = {
  __typename: 'UpdateChargeNoteSuccess';
  charge: Charge;
};

export type UpdateCheckoutLinkInput = {
  expiresAt?: DateTime | null | undefined;
  id: ID;
  name?: string | null | undefined;
};

export type UpdateCheckoutLinkResult =
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError
  | UpdateCheckoutLinkSuccess;

export type UpdateCheckoutLinkSuccess = {
  __typename: 'UpdateCheckoutLinkSuccess';
  checkoutLink: CheckoutLink;
};

export type UpdateCustomerNoteInput = {
  id: ID;
  note?: string | null | undefined;
};

export type UpdateCustomerNoteResult =
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError
  | UpdateCustomerNoteSuccess;

export type UpdateCustomerNoteSuccess = {
  __typename: 'UpdateCustomerNoteSuccess';
  customer: Customer;
};

export type UpdateMerchantSettingsInput = {
  additionalPhoneCountries?: Array<CountryCode> | null | undefined;
  areReceiptsEmailed?: boolean | null | undefined;
  brandColor?: string | null | undefined;
  country?: CountryCode | null | undefined;
  displayName?: string | null | undefined;
  exchangeRateMarkup?: Decimal | null | undefined;
  isSecureModeEnabled?: boolean | null | undefined;
  isTwoFactorRequired?: boolean | null | undefined;
  logo?: string | null | undefined;
  maxRateAgeDays?: Int | null | undefined;
  name?: string | null | undefined;
  paymentWindows?: Array<PaymentWindowInput> | null | undefined;
  postalAddress?: string | null | undefined;
  privacyUrl?: string | null | undefined;
  reauthenticationMinutes?: Int | null | undefined;
  redirectSchemes?: Array<string> | null | undefined;
  supportEmail?: string | null | undefined;
  taxNumber?: string | null | undefined;
  termsUrl?: string | null | undefined;
  timeZone?: string | null | undefined;
  underpaymentTolerance?: Decimal | null | undefined;
  websiteUrl?: string | null | undefined;
};

export type UpdateMerchantSettingsResult =
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError
  | UpdateMerchantSettingsSuccess;

export type UpdateMerchantSettingsSuccess = {
  __typename: 'UpdateMerchantSettingsSuccess';
  merchant: Merchant;
};

export type UpdateNoticeSettingsInput = {
  chatUrl?: string | null | undefined;
  settings?: Array<NoticeSettingInput> | null | undefined;
};

export type UpdateNoticeSettingsResult =
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError
  | UpdateNoticeSettingsSuccess;

export type UpdateNoticeSettingsSuccess = {
  __typename: 'UpdateNoticeSettingsSuccess';
  viewer: Viewer;
};

export type UpdateReceivingAccountInput = {
  accountName?: string | null | undefined;
  bank?: string | null | undefined;
  id: ID;
  maxAmount?: Decimal | null | undefined;
  maxAmountOffset?: Int | null | undefined;
  maxBankFee?: Decimal | null | undefined;
  maxBankFeeRate?: Decimal | null | undefined;
  minAmount?: Decimal | null | undefined;
  paymentWindowMinutes?: Int | null | undefined;
  reusesBankReferences?: boolean | null | undefined;
  sameBankAccountAs?: ID | null | undefined;
  status?: ReceivingAccountStatus | null | undefined;
  timeZone?: string | null | undefined;
  weight?: Int | null | undefined;
};

export type UpdateReceivingAccountResult =
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError
  | UpdateReceivingAccountSuccess;

export type UpdateReceivingAccountSuccess = {
  __typename: 'UpdateReceivingAccountSuccess';
  receivingAccount: ReceivingAccount;
};

export type UpdateStatementMappingInput = {
  mapping: StatementMappingInput;
  receivingAccountId: ID;
};

export type UpdateStatementMappingResult =
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError
  | UpdateStatementMappingSuccess;

export type UpdateStatementMappingSuccess = {
  __typename: 'UpdateStatementMappingSuccess';
  receivingAccount: ReceivingAccount;
};

export type UpdateSubscriptionPlanInput = {
  currency?: CurrencyCode | null | undefined;
  gracePeriodDays?: Int | null | undefined;
  id: ID;
  initialPayment?: InitialPaymentInput | null | undefined;
  invoiceNoticeDays?: Int | null | undefined;
  methods?: Array<PaymentMethodCode> | null | undefined;
  name?: string | null | undefined;
  numPayments?: Int | null | undefined;
  orders?: Array<OrderInput> | null | undefined;
  recurringPayment?: RecurringPaymentInput | null | undefined;
  sendEmail?: boolean | null | undefined;
  status?: SubscriptionPlanStatus | null | undefined;
  tax?: TaxInput | null | undefined;
};

export type UpdateSubscriptionPlanResult =
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError
  | UpdateSubscriptionPlanSuccess;

export type UpdateSubscriptionPlanSuccess = {
  __typename: 'UpdateSubscriptionPlanSuccess';
  subscriptionPlan: SubscriptionPlan;
};

export type UpdateTransfersInput = {
  assigneeId?: ID | null | undefined;
  ids: Array<ID>;
  note?: string | null | undefined;
};

export type UpdateTransfersResult =
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError
  | UpdateTransfersSuccess;

export type UpdateTransfersSuccess = {
  __typename: 'UpdateTransfersSuccess';
  transfers: Array<Transfer>;
};

export type UpdateUserInput = {
  id: ID;
  role: UserRole;
};

export type UpdateUserResult =
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError
  | UpdateUserSuccess;

export type UpdateUserSuccess = {
  __typename: 'UpdateUserSuccess';
  user: MerchantUser;
};

export type UpdateViewerInput = {
  name?: string | null | undefined;
};

export type UpdateViewerResult =
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError
  | UpdateViewerSuccess;

export type UpdateViewerSuccess = {
  __typename: 'UpdateViewerSuccess';
  viewer: Viewer;
};

export type UpdateWebhookInput = {
  concurrency?: Int | null | undefined;
  eventTypes?: Array<EventType> | null | undefined;
  id: ID;
  isEnabled?: boolean | null | undefined;
  isSigned?: boolean | null | undefined;
  name?: string | null | undefined;
  notificationVersion?: NotificationVersion | null | undefined;
  password?: string | null | undefined;
  ratePerSecond?: Int | null | undefined;
  url?: string | null | undefined;
  username?: string | null | undefined;
};

export type UpdateWebhookResult =
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError
  | UpdateWebhookSuccess;

export type UpdateWebhookSuccess = {
  __typename: 'UpdateWebhookSuccess';
  signingSecret: string | null;
  webhook: Webhook;
};

export type UserError =
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError;

export type UserFilter = {
  role?: UserRole | null | undefined;
};

export type UserInvitation = {
  __typename: 'UserInvitation';
  createdAt: DateTime;
  email: string;
  expiresAt: DateTime;
  id: ID;
  invitedBy: Actor;
  role: UserRole;
  sentAt: DateTime;
};

export type UserInvitationConnection = {
  __typename: 'UserInvitationConnection';
  edges: Array<UserInvitationEdge>;
  nodes: Array<UserInvitation>;
  pageInfo: PageInfo;
  totalCount: Int;
};

export type UserInvitationEdge = {
  __typename: 'UserInvitationEdge';
  cursor: string;
  node: UserInvitation;
};

export type UserRole =
  | 'accountant'
  | 'cashier'
  | 'developer'
  | 'operator'
  | 'owner'
  | 'read_only'
  | 'support';

export type UserSession = {
  __typename: 'UserSession';
  createdAt: DateTime;
  device: string;
  expiresAt: DateTime;
  id: ID;
  ipAddress: string | null;
  isCurrent: boolean;
  lastSeenAt: DateTime;
};

export type VerifyPhoneInput = {
  code: string;
  phone: PhoneInput;
};

export type VerifyPhoneResult =
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError
  | VerifyPhoneSuccess;

export type VerifyPhoneSuccess = {
  __typename: 'VerifyPhoneSuccess';
  verificationCode: string;
};

export type ViettelPayDetailsInput = {
  account?: string | null | undefined;
  bank?: string | null | undefined;
  bin?: string | null | undefined;
  staticQrCode?: string | null | undefined;
};

export type Viewer = {
  __typename: 'Viewer';
  chatHost: string | null;
  isTwoFactorSetupRequired: boolean;
  merchant: Merchant | null;
  noticeSettings: Array<NoticeSetting>;
  pendingEmail: string | null;
  permissions: Array<Permission>;
  reauthenticatedUntil: DateTime | null;
  remainingRecoveryCodeCount: Int;
  sessions: Array<UserSession>;
  user: MerchantUser;
};

export type VoidInvoiceInput = {
  id: ID;
  isReissued?: boolean | null | undefined;
};

export type VoidInvoiceResult =
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError
  | VoidInvoiceSuccess;

export type VoidInvoiceSuccess = {
  __typename: 'VoidInvoiceSuccess';
  invoice: Invoice;
};

export type Webhook = {
  __typename: 'Webhook';
  concurrency: Int | null;
  consecutiveFailureCount: Int;
  createdAt: DateTime;
  disabledAt: DateTime | null;
  disabledReason: WebhookDisabledReason | null;
  eventTypes: Array<EventType>;
  failingSince: DateTime | null;
  id: ID;
  isSigned: boolean;
  name: string | null;
  notificationVersion: NotificationVersion;
  pendingNotificationCount: Int;
  previousSecretExpiresAt: DateTime | null;
  ratePerSecond: Int | null;
  updatedAt: DateTime;
  url: string;
  username: string;
};

export type WebhookConnection = {
  __typename: 'WebhookConnection';
  edges: Array<WebhookEdge>;
  nodes: Array<Webhook>;
  pageInfo: PageInfo;
  totalCount: Int;
};

export type WebhookDisabledReason =
  | 'delivery_failures'
  | 'endpoint_gone'
  | 'manual';

export type WebhookEdge = {
  __typename: 'WebhookEdge';
  cursor: string;
  node: Webhook;
};

export type WebhookHealth = {
  __typename: 'WebhookHealth';
  disabledCount: Int;
  failingCount: Int;
};

export type WithdrawInvitationInput = {
  id: ID;
};

export type WithdrawInvitationResult =
  | ConflictError
  | InvalidRequestError
  | NotFoundError
  | PermissionError
  | RateLimitedError
  | UnprocessableError
  | WithdrawInvitationSuccess;

export type WithdrawInvitationSuccess = {
  __typename: 'WithdrawInvitationSuccess';
  withdrawnInvitationId: ID;
};

export type XeroAccountCodeInput = {
  account: JournalAccount;
  code: string;
};

export type XeroJournalInput = {
  accountCodes?: Array<XeroAccountCodeInput> | null | undefined;
  currency: CurrencyCode;
  taxRateName?: string | null | undefined;
};
