import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { ConfirmButton, DestructiveButton } from '../../components/confirm-button.tsx';
import { DataTable, type TableColumn } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { HoursSelect, hoursFromNow } from '../../components/hours-select.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Moment } from '../../components/moment.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Paged } from '../../components/paged.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { pageInfoFields, useCursor } from '../../components/use-cursor.ts';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import { userErrorFields } from '../../graphql/errors.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { useMode } from '../../use-mode.ts';
import { useHasPermission } from '../../viewer.ts';

/** Manages the certificates that sign callbacks in the current mode. */
export default function CertificatesPage() {
  const cursor = useCursor();
  const canManage = useHasPermission('manage');
  const { mode } = useMode();
  const query = useCachedQuery(certificatesQuery, cursor.variables);
  const columns: TableColumn<CertificateRow>[] = [
    {
      title: 'Fingerprint',
      cell: ({ fingerprint }) => (
        <Text size="sm" ff="monospace" title={fingerprint} span>
          {fingerprint.slice(0, 16)}…
        </Text>
      ),
    },
    { title: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
    {
      title: 'Start date',
      cell: ({ signsFrom }) => (
        <>
          from <Moment at={signsFrom} />
        </>
      ),
    },
    {
      title: 'Actions',
      isEndAligned: true,
      hasButtons: true,
      cell: (certificate) => (
        <Group gap="xs" justify="flex-end">
          <DownloadCertificate certificate={certificate} />
          {canManage && certificate.status !== 'revoked' && (
            <RevokeCertificate certificate={certificate} onRevoked={query.refresh} />
          )}
        </Group>
      ),
    },
  ];
  return (
    <>
      <PageHeader
        title="Certificates"
        text={`These certificates sign ${mode} callbacks only. Verify a callback with the public key; the private key never leaves Causeway.`}
      >
        {canManage && <NewCertificate onCreated={query.refresh} />}
      </PageHeader>
      <Section title="All certificates" isFlush>
        <Loaded query={query} lines={4}>
          {({ certificates }) => (
            <Paged
              page={certificates}
              cursor={cursor}
              empty={
                <EmptyState title="No certificates">
                  Create a certificate to receive {mode} callbacks.
                </EmptyState>
              }
            >
              {(rows) => <DataTable label="Certificates" columns={columns} rows={rows} />}
            </Paged>
          )}
        </Loaded>
      </Section>
    </>
  );
}

const startChoices = [
  { value: '0', label: 'Now' },
  { value: '1', label: 'In an hour' },
  { value: '24', label: 'In a day' },
  { value: '168', label: 'In a week' },
];

function NewCertificate({ onCreated }: { onCreated: () => void }) {
  const create = useMutationAction(createCertificateMutation, onCreated);
  const [hours, setHours] = useState('24');
  return (
    <ConfirmButton
      label="New certificate"
      title="New certificate"
      confirmLabel="Create certificate"
      onConfirm={() => create({ input: { signsFrom: hours === '0' ? null : hoursFromNow(hours) } })}
    >
      <Text size="sm">
        The current certificate signs until the new one starts. Download the new public key and accept both
        until then.
      </Text>
      <HoursSelect label="Start signing" choices={startChoices} hours={hours} onChoose={setHours} />
    </ConfirmButton>
  );
}

function DownloadCertificate({ certificate: { id, publicKey } }: { certificate: CertificateRow }) {
  return (
    <Button
      size="compact-sm"
      variant="light"
      component="a"
      href={`data:application/x-pem-file,${encodeURIComponent(publicKey)}`}
      download={`${id}.pem`}
    >
      Download
    </Button>
  );
}

function RevokeCertificate(props: { certificate: CertificateRow; onRevoked: () => void }) {
  const { certificate, onRevoked } = props;
  const revoke = useMutationAction(revokeCertificateMutation, onRevoked);
  return (
    <DestructiveButton
      label="Revoke"
      title="Revoke this certificate?"
      confirmLabel="Revoke certificate"
      onConfirm={() => revoke({ input: { id: certificate.id } })}
    >
      <Text size="sm">
        This certificate will stop signing and its signatures should no longer be trusted. This cannot be
        undone.
      </Text>
    </DestructiveButton>
  );
}

const certificatesQuery = graphql(
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

type CertificateRow = ResultOf<typeof certificatesQuery>['certificates']['nodes'][number];

const createCertificateMutation = graphql(
  `
    mutation CreateCertificate($input: CreateCertificateInput!) {
      createCertificate(input: $input) {
        __typename
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);

const revokeCertificateMutation = graphql(
  `
    mutation RevokeCertificate($input: RevokeCertificateInput!) {
      revokeCertificate(input: $input) {
        __typename
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);
