/**
 * When an operation requires a recent re-authentication from a user with two-factor authentication:
 * - `never`: it neither moves money out nor creates a credential: for example, it reads, charges customers,
 *   concerns the sandbox, or revokes a credential, which must be possible without a code.
 * - `live`: in live mode.
 * - `payouts`: in live mode, for a file of refund payouts.
 * - `always`: it changes something shared by both modes, so that the sandbox cannot be used to bypass the
 *   check.
 * - `account`: it belongs to the user's own sign-in and verifies the password or a code itself. A user who
 *   must enable two-factor authentication first can use only these operations.
 */
export type TwoFactorRule = 'never' | 'live' | 'payouts' | 'always' | 'account';

/**
 * Every mutation, and every file route that accepts a user's session. Operations without an entry use `live`.
 */
export const twoFactorRules: Readonly<Record<string, TwoFactorRule>> = {
  // Files
  'GET /exports/:id/file': 'payouts',
  'GET /statements/:id/file': 'never',
  'POST /jobs': 'always',
  'PUT /uploads': 'live',
  // Transfers and statements
  assignTransfer: 'live',
  cancelStatement: 'never',
  confirmStatement: 'live',
  createChargeForTransfer: 'live',
  createIgnoreRule: 'live',
  deleteIgnoreRule: 'never',
  dismissTransfers: 'live',
  importStatement: 'live',
  markTransferAsDuplicate: 'live',
  previewStatement: 'never',
  recordTransfers: 'live',
  returnTransfer: 'live',
  simulateTransfer: 'never',
  splitTransfer: 'live',
  unassignTransfer: 'live',
  undoStatement: 'live',
  updateStatementMapping: 'live',
  updateTransfers: 'never',
  // Refunds
  cancelRefund: 'never',
  completeRefund: 'live',
  createExport: 'payouts',
  createRefund: 'live',
  reopenRefund: 'live',
  submitRefundDetails: 'live',
  undoRefundCompletion: 'live',
  // Bank feeds. Their keys could be used to forge transfers.
  confirmBankFeed: 'live',
  createBankFeed: 'live',
  deleteBankFeed: 'never',
  pollBankFeed: 'never',
  processFeedDelivery: 'live',
  updateBankFeed: 'live',
  // Receiving accounts and exchange rates
  createReceivingAccount: 'live',
  removeExchangeRate: 'always',
  setExchangeRate: 'always',
  updateReceivingAccount: 'live',
  // Settings, API keys and users. `removeUser` requires a code because it could lock out owners.
  createApiKey: 'live',
  inviteUser: 'always',
  removeUser: 'always',
  resendInvitation: 'always',
  revokeApiKey: 'never',
  rotateApiKey: 'live',
  updateApiKey: 'live',
  sendTestNotice: 'never',
  updateMerchantSettings: 'always',
  // A chat address receives the merchant's payments, even after the session has ended.
  updateNoticeSettings: 'always',
  updateUser: 'always',
  withdrawInvitation: 'never',
  // Webhooks and certificates. Their secrets could be used to forge payment notifications.
  createCertificate: 'live',
  createWebhook: 'live',
  deleteWebhook: 'never',
  dismissAlert: 'never',
  replayNotifications: 'never',
  resendNotification: 'never',
  revokeCertificate: 'never',
  rotateWebhookSecret: 'live',
  sendTestNotification: 'never',
  updateWebhook: 'live',
  // Charges, checkout and subscriptions
  advanceTestClock: 'never',
  cancelCharge: 'never',
  cancelSession: 'never',
  cancelSubscription: 'never',
  changeSubscriptionMethod: 'never',
  changeSubscriptionTerms: 'never',
  chargeSession: 'never',
  closeCheckoutLink: 'never',
  completeSandboxCharge: 'never',
  createCharge: 'never',
  createChargeHash: 'live',
  createCheckoutLink: 'never',
  createCounterSale: 'never',
  payCounterSale: 'never',
  cancelCounterSale: 'never',
  createSession: 'never',
  createSubscriptionLink: 'never',
  createSubscriptionPlan: 'never',
  enrol: 'never',
  // Like a payment that is recorded manually.
  markInvoicePaid: 'live',
  pauseSubscription: 'never',
  payInvoice: 'never',
  resendInvoice: 'never',
  resumeSubscription: 'never',
  skipSubscriptionPayment: 'never',
  voidInvoice: 'never',
  requestPhoneVerification: 'never',
  updateCustomer: 'never',
  updateSubscriptionPlan: 'never',
  verifyPhone: 'never',
  // Operators
  createMerchant: 'always',
  declineRestrictedAccess: 'always',
  setMerchantEnabled: 'always',
  grantRestrictedAccess: 'always',
  requestRestrictedAccess: 'never',
  setOperationsEnabled: 'always',
  // The user's own sign-in
  acceptInvitation: 'account',
  beginTwoFactorSetup: 'account',
  updateViewer: 'account',
  changePassword: 'account',
  confirmTwoFactorSetup: 'account',
  disableTwoFactor: 'account',
  endUserSession: 'account',
  reauthenticate: 'account',
  regenerateRecoveryCodes: 'account',
  requestPasswordReset: 'account',
  resetPassword: 'account',
  signIn: 'account',
  signOut: 'account',
  signOutEverywhere: 'account',
};

/** Queries that a user needs to sign in and to enable two-factor authentication. */
const accountQueries: ReadonlySet<string> = new Set(['viewer', 'invitationPreview']);

export function isAccountOperation(operation: string): boolean {
  return twoFactorRules[operation] === 'account' || accountQueries.has(operation);
}
