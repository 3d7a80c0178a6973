import { SimpleGrid, TextInput } from '@mantine/core';
import { Section } from '../../components/section.tsx';
import type { FormState } from '../../components/use-form-state.ts';
import { fractionToPercent } from '../../format/fraction.ts';
import { t } from '../../language/texts.ts';
import type { SettingsDetails } from './settings-query.ts';

export function PaymentSettings({
  settings,
  getFieldError,
}: {
  settings: SettingsDetails;
  getFieldError: FormState['getFieldError'];
}) {
  return (
    <Section title={t.common.payments}>
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <TextInput
          label={t.settings.exchangeRateMarkup}
          description={t.settings.addedToTheRate}
          name="exchangeRateMarkup"
          inputMode="decimal"
          defaultValue={fractionToPercent(settings.exchangeRateMarkup)}
          error={getFieldError('exchangeRateMarkup')}
        />
        <TextInput
          label={t.settings.underpaymentTolerance}
          description={t.settings.paymentsThatAreShort}
          name="underpaymentTolerance"
          inputMode="decimal"
          defaultValue={fractionToPercent(settings.underpaymentTolerance)}
          error={getFieldError('underpaymentTolerance')}
        />
        <TextInput
          label={t.settings.maximumRateAgeDays}
          description={t.settings.liveChargesWithOlder}
          name="maxRateAgeDays"
          inputMode="numeric"
          defaultValue={String(settings.maxRateAgeDays)}
          error={getFieldError('maxRateAgeDays')}
          required
          withAsterisk={false}
        />
      </SimpleGrid>
    </Section>
  );
}
