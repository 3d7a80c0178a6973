import { Alert, Button, Group, Modal, Select, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useMutation, useQuery } from 'urql';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { refusalOf } from '../../graphql/refusal.ts';
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
  const [opened, { open, close }] = useDisclosure();
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
    { title: 'Status', end: true, cell: ({ status }) => <StatusBadge status={status} /> },
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
        {mayManage && <Button onClick={open}>New certificate</Button>}
      </PageHeader>
      <NewCertificate opened={opened} onClose={close} onMade={refresh} />
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

function NewCertificate(props: { opened: boolean; onClose: () => void; onMade: () => void }) {
  const { opened, onClose, onMade } = props;
  const [{ fetching }, create] = useMutation(createMutation);
  const [hours, setHours] = useState<string | null>('24');
  const [refusal, setRefusal] = useState<string>();
  const make = async () => {
    const signsFrom = new Date(Date.now() + Number(hours) * 3_600_000).toISOString();
    const refused = refusalOf(await create({ signsFrom: hours === '0' ? null : signsFrom }));
    setRefusal(refused);
    if (refused !== undefined) return;
    onMade();
    onClose();
  };
  return (
    <Modal opened={opened} onClose={onClose} title="New certificate" centered>
      <Stack>
        <Text size="sm">
          Until it signs, the present one does: download the new public key, and accept both meanwhile.
        </Text>
        {refusal !== undefined && (
          <Alert color="red" variant="light" role="alert">
            {refusal}
          </Alert>
        )}
        <Select
          label="It signs"
          allowDeselect={false}
          data={times}
          value={hours}
          onChange={setHours}
          comboboxProps={{ withinPortal: false }}
          data-autofocus
        />
        <Group justify="flex-end">
          <Button onClick={make} loading={fetching}>
            Make certificate
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function RevokeButton(props: { certificate: CertificateRow; onRevoked: () => void }) {
  const { certificate, onRevoked } = props;
  const [{ fetching }, revoke] = useMutation(revokeMutation);
  const [opened, { open, close }] = useDisclosure();
  const [refusal, setRefusal] = useState<string>();
  const revokeNow = async () => {
    const refused = refusalOf(await revoke({ id: certificate.id }));
    setRefusal(refused);
    if (refused !== undefined) return;
    close();
    onRevoked();
  };
  return (
    <>
      <Button size="compact-sm" variant="subtle" color="red" onClick={open}>
        Revoke
      </Button>
      <Modal opened={opened} onClose={close} title="Revoke this certificate?" centered>
        <Stack>
          <Text size="sm">
            It signs no more, and nothing it has signed is to be trusted. This cannot be undone.
          </Text>
          {refusal !== undefined && (
            <Alert color="red" variant="light" role="alert">
              {refusal}
            </Alert>
          )}
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={close} data-autofocus>
              Keep it
            </Button>
            <Button color="red.9" onClick={revokeNow} loading={fetching}>
              Revoke certificate
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
