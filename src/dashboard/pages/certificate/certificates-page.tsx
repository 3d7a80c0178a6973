import { Button, Group, Select, Text } from '@mantine/core';
import { useState } from 'react';
import { useMutation, useQuery } from 'urql';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { refusalOf } from '../../graphql/refusal.ts';
import { serverNow } from '../../graphql/server-clock.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Section } from '../../parts/section.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { useMay } from '../../viewer.ts';

const certificatesQuery = graphql(`
  query Certificates {
    certificates(first: 50) {
      nodes {
        id
        status
        publicKey
        fingerprint
        signsFrom
        revokedAt
      }
    }
  }
`);

const createMutation = graphql(`
  mutation CreateCertificate($signsFrom: DateTime) {
    createCertificate(input: { signsFrom: $signsFrom }) {
      __typename
      ... on Error {
        code
        message
      }
    }
  }
`);

const revokeMutation = graphql(`
  mutation RevokeCertificate($id: ID!) {
    revokeCertificate(input: { id: $id }) {
      __typename
      ... on Error {
        code
        message
      }
    }
  }
`);

type CertificateRow = ResultOf<typeof certificatesQuery>['certificates']['nodes'][number];

/** The keys that sign callbacks: made, downloaded, changed over, revoked. For both modes. */
export default function CertificatesPage() {
  const mayManage = useMay('manage');
  const [{ data, error }, reload] = useQuery({ query: certificatesQuery });
  const refresh = () => reload({ requestPolicy: 'network-only' });
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
      title: 'From',
      cell: ({ signsFrom }) => (
        <>
          from <Moment at={signsFrom} />
        </>
      ),
    },
    {
      title: 'Public key',
      end: true,
      cell: (certificate) => (
        <Group gap="xs" justify="flex-end">
          <Download certificate={certificate} />
          {mayManage && certificate.status !== 'revoked' && (
            <RevokeButton certificate={certificate} onRevoked={refresh} />
          )}
        </Group>
      ),
    },
  ];
  return (
    <>
      <PageHeader
        title="Certificates"
        text="Callbacks are signed with a private key that stays here; verify them with its public key."
      >
        {mayManage && <NewCertificate onMade={refresh} />}
      </PageHeader>
      <Section title="All certificates" flush>
        <Loaded data={data} error={error} onRetry={refresh} lines={4}>
          {({ certificates: { nodes } }) => <DataTable label="Certificates" columns={columns} rows={nodes} />}
        </Loaded>
      </Section>
    </>
  );
}

function Download({ certificate: { id, publicKey } }: { certificate: CertificateRow }) {
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

const times = [
  { value: '0', label: 'Now' },
  { value: '1', label: 'In an hour' },
  { value: '24', label: 'In a day' },
  { value: '168', label: 'In a week' },
];

function NewCertificate({ onMade }: { onMade: () => void }) {
  const [, create] = useMutation(createMutation);
  const [hours, setHours] = useState<string | null>('24');
  const make = async () => {
    const signsFrom = new Date(serverNow().getTime() + Number(hours) * 3_600_000).toISOString();
    const refused = refusalOf(await create({ signsFrom: hours === '0' ? null : signsFrom }));
    if (refused === undefined) onMade();
    return refused;
  };
  return (
    <ConfirmButton
      label="New certificate"
      title="New certificate"
      confirm="Make certificate"
      onConfirm={make}
    >
      <Text size="sm">
        Until it signs, the present one does: download the new public key, and accept both meanwhile.
      </Text>
      <Select
        label="It signs"
        allowDeselect={false}
        data={times}
        value={hours}
        onChange={setHours}
        comboboxProps={{ withinPortal: false }}
        data-autofocus
      />
    </ConfirmButton>
  );
}

function RevokeButton(props: { certificate: CertificateRow; onRevoked: () => void }) {
  const { certificate, onRevoked } = props;
  const [, revoke] = useMutation(revokeMutation);
  const revokeNow = async () => {
    const refused = refusalOf(await revoke({ id: certificate.id }));
    if (refused === undefined) onRevoked();
    return refused;
  };
  return (
    <ConfirmButton
      label="Revoke"
      title="Revoke this certificate?"
      confirm="Revoke certificate"
      keep="Keep it"
      size="compact-sm"
      variant="subtle"
      color="red"
      isDanger
      onConfirm={revokeNow}
    >
      <Text size="sm">
        It signs no more, and nothing it has signed is to be trusted. This cannot be undone.
      </Text>
    </ConfirmButton>
  );
}
