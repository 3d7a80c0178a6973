import { pageInfoFields } from '../../components/use-cursor.ts';
import { userErrorFields } from '../../graphql/errors.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';

const apiKeyRowFields = graphql(`
  fragment ApiKeyRow on ApiKey {
    id
    name
    kind
    key
    permissions
    allowedOrigins
    status
    lastUsedAt
    expiresAt
    replacedBy {
      id
    }
  }
`);

export type ApiKeyRow = ResultOf<typeof apiKeyRowFields>;

export const apiKeysQuery = graphql(
  `
    query ApiKeys($first: Int, $after: String, $last: Int, $before: String) {
      apiKeys(first: $first, after: $after, last: $last, before: $before) {
        nodes {
          ...ApiKeyRow
        }
        pageInfo {
          ...PageInfo
        }
      }
    }
  `,
  [apiKeyRowFields, pageInfoFields],
);

export const createApiKeyMutation = graphql(
  `
    mutation CreateApiKey($input: CreateApiKeyInput!) {
      createApiKey(input: $input) {
        __typename
        ... on CreateApiKeySuccess {
          apiKey {
            key
          }
          secret
        }
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);

export const updateApiKeyMutation = graphql(
  `
    mutation UpdateApiKey($input: UpdateApiKeyInput!) {
      updateApiKey(input: $input) {
        __typename
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);

export const rotateApiKeyMutation = graphql(
  `
    mutation RotateApiKey($input: RotateApiKeyInput!) {
      rotateApiKey(input: $input) {
        __typename
        ... on RotateApiKeySuccess {
          apiKey {
            key
          }
          secret
        }
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);

export const revokeApiKeyMutation = graphql(
  `
    mutation RevokeApiKey($input: RevokeApiKeyInput!) {
      revokeApiKey(input: $input) {
        __typename
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);
