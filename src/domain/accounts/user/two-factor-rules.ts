/**
 * When an operation asks a user who has two-factor authentication to have re-authenticated recently:
 * - `never`: it reads, sells, belongs to the sandbox, or takes something away: a key, a certificate or an invitation must be
 *   revoked without waiting for a code. It neither moves money out nor creates a credential.
 * - `live`: in live mode.
 * - `payouts`: in live mode, for a file of refund payouts.
 * - `always`: it changes something that belongs to no mode, so that the sandbox cannot be used to get around the check.
 * - `account`: the user's own sign-in, which asks for the password or a code itself. A user who must enable two-factor
 *   authentication first can use these operations, and no others.
 */
export type TwoFactorRule = 'never' | 'live' | 'payouts' | 'always' | 'account';

/** Every mutation, and every file route that accepts the session of a user. Operations without an entry ask in live mode. */
export const twoFactorRules: Readonly<Record<string, TwoFactorRule>> = {
  // Files
  'GET /exports/:id/file': 'payouts',
  'GET /statements/:id/file': 'never',
  'POST /jobs': 'always',
  'PUT /uploads': 'live',
  // Transfers and statements
  assignTransfer: 'live',
  importStatement: 'live',
  pairTransfer: 'live',
  previewStatement: 'never',
  recordTransfers: 'live',
  returnTransfer: 'live',
  simulateTransfer: 'never',
  splitTransfer: 'live',
  unassignTransfer: 'live',
  updateStatementMapping: 'live',
  // Refunds
  cancelRefund: 'never',
  completeRefund: 'live',
  createExport: 'payouts',
  createRefund: 'live',
  reopenRefund: 'live',
  submitRefundDetails: 'live',
  // Where customers pay to, and at which rates
  createReceivingAccount: 'live',
  removeRate: 'always',
  setRate: 'always',
  updateReceivingAccount: 'live',
  // Settings, keys and users. Revoking a key must not have to wait for a code; removing users could lock out owners.
  createApiKey: 'live',
  inviteUser: 'always',
  removeUser: 'always',
  resendInvitation: 'always',
  revokeApiKey: 'never',
  rotateApiKey: 'live',
  updateApiKey: 'live',
  updateMerchantSettings: 'always',
  updateUser: 'always',
  withdrawInvitation: 'never',
  // Webhooks. Their secrets, and a certificate, can forge the proof of a payment.
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
  // Selling
  advanceTestClock: 'never',
  cancelCharge: 'never',
  cancelSession: 'never',
  cancelSubscription: 'never',
  changeSubscriptionMethod: 'never',
  closeCheckoutLink: 'never',
  completeSandboxCharge: 'never',
  createCharge: 'never',
  createChargeHash: 'live',
  createCheckoutLink: 'never',
  createSession: 'never',
  createSubscriptionLink: 'never',
  createSubscriptionPlan: 'never',
  enrol: 'never',
  payInvoice: 'never',
  requestPhoneVerification: 'never',
  updateSubscriptionPlan: 'never',
  verifyPhone: 'never',
  // Operators
  createMerchant: 'always',
  declineRestrictedAccess: 'always',
  disableMerchant: 'always',
  grantRestrictedAccess: 'always',
  requestRestrictedAccess: 'never',
  switchOperations: 'always',
  // The user's own sign-in
  acceptInvitation: 'account',
  beginSecondFactor: 'account',
  changeName: 'account',
  changePassword: 'account',
  confirmSecondFactor: 'account',
  disableSecondFactor: 'account',
  endSession: 'account',
  reauthenticate: 'account',
  renewRecoveryCodes: 'account',
  requestPasswordReset: 'account',
  resetPassword: 'account',
  signIn: 'account',
  signOut: 'account',
  signOutEverywhere: 'account',
};

/** Queries that a user needs to sign in and to enable two-factor authentication. */
const accountQueries: ReadonlySet<string> = new Set(['viewer', 'invitationOffer']);

export function isAccountOperation(operation: string): boolean {
  return twoFactorRules[operation] === 'account' || accountQueries.has(operation);
}
