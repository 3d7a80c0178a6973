/** Mutations that tests of idempotency keys repeat. */

export const failure = '... on UserError { __typename code message }';
export const createCharge = `mutation ($input: CreateChargeInput!) {
  createCharge(input: $input) {
    ... on CreateChargeSuccess {
      isDuplicate cancelToken
      charge { id status merchantAmount customer { id email } refunds { id } destination { paymentReference } orders { name } }
    }
    ${failure}
  }
}`;
export const createSession = `mutation Once($input: CreateSessionInput!) {
  created: createSession(input: $input) { ... on CreateSessionSuccess { session { id amount } } ${failure} } }`;
export const cancelCharge = `mutation ($id: ID!) {
  cancelCharge(input: { id: $id }) { ... on CancelChargeSuccess { charge { id status } } ${failure} } }`;
export const createRefund = `mutation ($input: CreateRefundInput!) {
  createRefund(input: $input) { ... on CreateRefundSuccess { refund { id } } ${failure} } }`;
export const createWebhook = `mutation ($input: CreateWebhookInput!) {
  createWebhook(input: $input) {
    ... on CreateWebhookSuccess { webhook { id url } pass: password ...Signed } ${failure} } }
  fragment Signed on CreateWebhookSuccess { signingSecret }`;
