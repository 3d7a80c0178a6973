import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { ConfirmButton, EndButton } from '../../parts/confirm-button.tsx';
import { HoursChoice, inHours } from '../../parts/hours-choice.tsx';
import { useAct } from '../../parts/use-act.ts';
import {
  type CertificateRow,
  createCertificateMutation,
  revokeCertificateMutation,
} from './certificates-query.ts';

const times = [
  { value: '0', label: 'Now' },
  { value: '1', label: 'In an hour' },
  { value: '24', label: 'In a day' },
  { value: '168', label: 'In a week' },
];

export function NewCertificate({ onMade }: { onMade: () => void }) {
  const create = useAct(createCertificateMutation, onMade);
  const [hours, setHours] = useState('24');
  return (
    <ConfirmButton
      label="New certificate"
      title="New certificate"
      confirm="Make certificate"
      onConfirm={() => create({ input: { signsFrom: hours === '0' ? null : inHours(hours) } })}
    >
      <Text size="sm">
        Until it signs, the present one does: download the new public key, and accept both meanwhile.
      </Text>
      <HoursChoice label="It signs" choices={times} hours={hours} onChoose={setHours} />
    </ConfirmButton>
  );
}

export function DownloadCertificate({ certificate: { id, publicKey } }: { certificate: CertificateRow }) {
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

export function RevokeCertificate(props: { certificate: CertificateRow; onRevoked: () => void }) {
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
        It signs no more, and nothing it has signed is to be trusted. This cannot be undone.
      </Text>
    </EndButton>
  );
}
