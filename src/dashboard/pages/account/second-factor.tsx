import { Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { refusalOf } from '../../graphql/refusal.ts';
import { CodeInput } from '../../parts/code-input.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { PasswordField } from '../../parts/password-fields.tsx';
import { Section } from '../../parts/section.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { useAct } from '../../parts/use-act.ts';
import { disableMutation, type Me, renewMutation } from './account-query.ts';
import { RecoveryCodes } from './recovery-codes.tsx';
import { SetUpSecondFactor } from './set-up-second-factor.tsx';

/** Turning the second factor on and off, and its recovery codes. */
export function SecondFactor({ me, onChanged }: { me: Me; onChanged: () => void }) {
  const { hasSecondFactor, email } = me.user;
  const [codes, setCodes] = useState<readonly string[]>();
  const done = () => {
    setCodes(undefined);
    onChanged();
  };
  return (
    <Section
      title="Two-step sign-in"
      aside={<StatusBadge status={hasSecondFactor ? 'second_factor_on' : 'second_factor_off'} />}
    >
      <Stack align="flex-start">
        <Text size="sm">
          {hasSecondFactor
            ? 'Signing in takes a code of your authenticator app besides the password. Changing a live receiving account asks for one again.'
            : 'With it, a password that somebody learned is not enough to sign in: an authenticator app on your phone gives a code as well.'}
        </Text>
        {hasSecondFactor && (
          <Text size="sm" c={me.recoveryCodesLeft < 3 ? 'var(--causeway-warn-ink)' : 'var(--causeway-muted)'}>
            {me.recoveryCodesLeft === 0
              ? 'No recovery code is left: make new ones.'
              : `${me.recoveryCodesLeft} recovery ${me.recoveryCodesLeft === 1 ? 'code is' : 'codes are'} left.`}
          </Text>
        )}
        <Group gap="sm">
          <SetUpSecondFactor isOn={hasSecondFactor} email={email} onCodes={setCodes} />
          {hasSecondFactor && <Renew onCodes={setCodes} />}
          {hasSecondFactor && <TurnOff onChanged={onChanged} />}
        </Group>
      </Stack>
      <RecoveryCodes codes={codes} email={email} onClose={done} />
    </Section>
  );
}

function Renew({ onCodes }: { onCodes: (codes: readonly string[]) => void }) {
  const [, renew] = useMutation(renewMutation);
  return (
    <ConfirmButton
      label="New recovery codes"
      title="Make new recovery codes?"
      confirm="Make new codes"
      variant="default"
      onConfirm={async (form) => {
        const outcome = await renew({ input: { code: String(form.get('code')) } });
        const answer = outcome.data?.renewRecoveryCodes;
        if (answer?.__typename === 'RenewRecoveryCodesSuccess') onCodes(answer.recoveryCodes);
        return refusalOf(outcome);
      }}
    >
      <Text size="sm">Those you have now no longer work then.</Text>
      <CodeInput />
    </ConfirmButton>
  );
}

function TurnOff({ onChanged }: { onChanged: () => void }) {
  const disable = useAct(disableMutation, onChanged);
  return (
    <ConfirmButton
      label="Turn off"
      title="Turn two-step sign-in off?"
      confirm="Turn it off"
      isDanger
      variant="default"
      onConfirm={(form) =>
        disable({ input: { password: String(form.get('password')), code: String(form.get('code')) } })
      }
    >
      <Text size="sm">Then your password alone lets in whoever has it.</Text>
      <PasswordField isFirst />
      <CodeInput isFirst={false} />
    </ConfirmButton>
  );
}
