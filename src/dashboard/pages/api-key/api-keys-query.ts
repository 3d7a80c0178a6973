import { graphql, type ResultOf } from '../../graphql/graphql.ts';

const apiKeyRow = graphql(`
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
    createdAt
    replacedById
  }
`);

export type ApiKeyRow = ResultOf<typeof apiKeyRow>;

export const apiKeysQuery = graphql(
  `
    query ApiKeys($first: Int, $after: String, $last: Int, $before: String) {
      apiKeys(first: $first, after: $after, last: $last, before: $before) {
        nodes {
          ...ApiKeyRow
        }
        pageInfo {
          hasNextPage
          hasPreviousPage
          startCursor
          endCursor
        }
      }
    }
  `,
  [apiKeyRow],
);

export const createApiKeyMutation = graphql(`
  mutation CreateApiKey($input: CreateApiKeyInput!) {
    createApiKey(input: $input) {
      __typename
      ... on CreateApiKeySuccess {
        apiKey {
          key
        }
        secret
      }
      ... on Error {
        code
        message
      }
      ... on InvalidRequestError {
        errors {
          path
          message
        }
      }
    }
  }
`);

export const updateApiKeyMutation = graphql(`
  mutation UpdateApiKey($input: UpdateApiKeyInput!) {
    updateApiKey(input: $input) {
      __typename
      ... on Error {
        code
        message
      }
      ... on InvalidRequestError {
        errors {
          path
          message
        }
      }
    }
  }
`);

export const rotateApiKeyMutation = graphql(`
  mutation RotateApiKey($input: RotateApiKeyInput!) {
    rotateApiKey(input: $input) {
      __typename
      ... on RotateApiKeySuccess {
        apiKey {
          key
        }
        secret
      }
      ... on Error {
        code
        message
      }
      ... on InvalidRequestError {
        errors {
          path
          message
        }
      }
    }
  }
`);

export const revokeApiKeyMutation = graphql(`
  mutation RevokeApiKey($id: ID!) {
    revokeApiKey(input: { id: $id }) {
      __typename
      ... on Error {
        code
        message
      }
    }
  }
`);
