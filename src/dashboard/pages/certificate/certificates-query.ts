import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { refusalFields } from '../../graphql/refusal.ts';
import { pageInfoFields } from '../../parts/use-cursor.ts';

export const certificatesQuery = graphql(
  `
    query Certificates($first: Int, $after: String, $last: Int, $before: String) {
      certificates(first: $first, after: $after, last: $last, before: $before) {
        nodes {
          id
          status
          publicKey
          fingerprint
          signsFrom
        }
        pageInfo {
          ...PageInfo
        }
      }
    }
  `,
  [pageInfoFields],
);

export type CertificateRow = ResultOf<typeof certificatesQuery>['certificates']['nodes'][number];

export const createCertificateMutation = graphql(
  `
    mutation CreateCertificate($input: CreateCertificateInput!) {
      createCertificate(input: $input) {
        __typename
        ...Refusal
      }
    }
  `,
  [refusalFields],
);

export const revokeCertificateMutation = graphql(
  `
    mutation RevokeCertificate($input: RevokeCertificateInput!) {
      revokeCertificate(input: $input) {
        __typename
        ...Refusal
      }
    }
  `,
  [refusalFields],
);
