import type { As, Json } from './graphql.ts';

const fields =
  'id method status account holder bank currency weight minAmount maxAmount windowMinutes timeZone uniqueAmountsMax carriesReference retiredAt details { name value }';
const failure = `... on Error { code message }
  ... on UnprocessableError { errors { path message } } ... on InvalidRequestError { errors { path message } }`;
const createText = `mutation ($input: CreateReceivingAccountInput!) { createReceivingAccount(input: $input) {
  __typename ... on CreateReceivingAccountSuccess { receivingAccount { ${fields} } } ${failure} } }`;
const updateText = `mutation ($input: UpdateReceivingAccountInput!) { updateReceivingAccount(input: $input) {
  __typename ... on UpdateReceivingAccountSuccess { receivingAccount { ${fields} } } ${failure} } }`;

/** Who asks: with keys by default, or a user at the dashboard. */
export type Asker = (
  query: string,
  options?: { variables?: object; as?: As },
) => Promise<{ data: Json; errors: Json }>;

/** What `createReceivingAccount` answers, or the errors of an operation that was refused whole. */
export const createAccount = async (ask: Asker, input: object, as?: As): Promise<Json> => {
  const { data, errors } = await ask(createText, {
    variables: { input: { holder: 'Harbour Teas Ltd', ...input } },
    ...(as && { as }),
  });
  return data?.createReceivingAccount ?? errors;
};
export const updateAccount = async (ask: Asker, input: object, as?: As): Promise<Json> => {
  const { data, errors } = await ask(updateText, { variables: { input }, ...(as && { as }) });
  return data?.updateReceivingAccount ?? errors;
};
