import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { ConfirmButton, EndButton } from '../../components/confirm-button.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { HoursChoice, inHours } from '../../components/hours-choice.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Moment } from '../../components/moment.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Paged } from '../../components/paged.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useAct } from '../../components/use-act.ts';
import { pageInfoFields, useCursor } from '../../components/use-cursor.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { refusalFields } from '../../graphql/refusal.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useMode } from '../../use-mode.ts';
import { useMay } from '../../viewer.ts';

/** The certificates that sign the callbacks of the current mode: create, download, rotate, revoke. */
export default function CertificatesPage() {
  const cursor = useCursor();
  const mayManage = useMay('manage');
  const { mode } = useMode();
  const read = useRead(certificatesQuery, cursor.variables);
  const columns: Column<CertificateRow>[] = [
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
      end: true,
      buttons: true,
      cell: (certificate) => (
        <Group gap="xs" justify="flex-end">
          <DownloadCertificate certificate={certificate} />
          {mayManage && certificate.status !== 'revoked' && (
            <RevokeCertificate certificate={certificate} onRevoked={read.refresh} />
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
        {mayManage && <NewCertificate onMade={read.refresh} />}
      </PageHeader>
      <Section title="All certificates" flush>
        <Loaded read={read} lines={4}>
          {({ certificates }) => (
            <Paged
              page={certificates}
              cursor={cursor}
              empty={<Empty title="No certificates">Create a certificate to receive {mode} callbacks.</Empty>}
            >
              {(rows) => <DataTable label="Certificates" columns={columns} rows={rows} />}
            </Paged>
          )}
        </Loaded>
      </Section>
    </>
  );
}

const times = [
  { value: '0', label: 'Now' },
  { value: '1', label: 'In an hour' },
  { value: '24', label: 'In a day' },
  { value: '168', label: 'In a week' },
];

function NewCertificate({ onMade }: { onMade: () => void }) {
  const create = useAct(createCertificateMutation, onMade);
  const [hours, setHours] = useState('24');
  return (
    <ConfirmButton
      label="New certificate"
      title="New certificate"
      confirm="Create certificate"
      onConfirm={() => create({ input: { signsFrom: hours === '0' ? null : inHours(hours) } })}
    >
      <Text size="sm">
        The current certificate signs until the new one starts. Download the new public key and accept both
        until then.
      </Text>
      <HoursChoice label="Start signing" choices={times} hours={hours} onChoose={setHours} />
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
  const revoke = useAct(revokeCertificateMutation, onRevoked);
  return (
    <EndButton
      label="Revoke"
      title="Revoke this certificate?"
      confirm="Revoke certificate"
      onConfirm={() => revoke({ input: { id: certificate.id } })}
    >
      <Text size="sm">
        This certificate will stop signing and its signatures should no longer be trusted. This cannot be
        undone.
      </Text>
    </EndButton>
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
        ...Refusal
      }
    }
  `,
  [refusalFields],
);

const revokeCertificateMutation = graphql(
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
