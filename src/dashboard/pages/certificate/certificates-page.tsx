import { Group, Text } from '@mantine/core';
import { useRead } from '../../graphql/use-read.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Paged } from '../../parts/paged.tsx';
import { Section } from '../../parts/section.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { useCursor } from '../../parts/use-cursor.ts';
import { useMode } from '../../use-mode.ts';
import { useMay } from '../../viewer.ts';
import { DownloadCertificate, NewCertificate, RevokeCertificate } from './certificate-actions.tsx';
import { type CertificateRow, certificatesQuery } from './certificates-query.ts';

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
              empty={<Empty title="No certificates">Create one to receive {mode} callbacks.</Empty>}
            >
              {(rows) => <DataTable label="Certificates" columns={columns} rows={rows} />}
            </Paged>
          )}
        </Loaded>
      </Section>
    </>
  );
}
