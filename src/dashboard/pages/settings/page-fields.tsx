import { SimpleGrid, Switch, TextInput } from '@mantine/core';
import { Section } from '../../components/section.tsx';
import { BrandColorField } from './brand-color-field.tsx';
import { LogoField } from './logo-field.tsx';
import type { SettingsDetails } from './settings-query.ts';

/** The merchant's details on customer pages. */
export const pageFields = [
  {
    name: 'displayName',
    label: 'Display name',
    description: 'Shown to customers instead of your account name',
    placeholder: 'Harbour Teas',
  },
  {
    name: 'supportEmail',
    label: 'Support email',
    description: 'Customers can send questions to this address',
    placeholder: 'help@shop.example',
  },
  {
    name: 'websiteUrl',
    label: 'Website',
    description: 'Customers return here if a payment has no return URL',
    placeholder: 'https://shop.example',
  },
  {
    name: 'termsUrl',
    label: 'Terms',
    description: 'Linked on every customer page',
    placeholder: 'https://shop.example/terms',
  },
  {
    name: 'privacyUrl',
    label: 'Privacy policy',
    description: 'Linked on every customer page',
    placeholder: 'https://shop.example/privacy',
  },
  {
    name: 'country',
    label: 'Country',
    description: 'Customers see the payment methods of this country first, such as HK',
    placeholder: 'HK',
  },
] as const;

type PageFieldName = (typeof pageFields)[number]['name'];

export function PageFields(props: {
  settings: SettingsDetails;
  getFieldError: (name: PageFieldName | 'logo' | 'brandColor') => string | undefined;
  color: string;
  onColor: (color: string) => void;
  onLogo: (logo: string | null) => void;
  areReceiptsEmailed: boolean;
  onReceipts: (areEmailed: boolean) => void;
}) {
  const { settings, getFieldError } = props;
  return (
    <Section title="Customer pages">
      <SimpleGrid cols={{ base: 1, sm: 2 }} mb="md">
        <LogoField url={settings.logoUrl} error={getFieldError('logo')} onChange={props.onLogo} />
        <BrandColorField color={props.color} error={getFieldError('brandColor')} onChange={props.onColor} />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {pageFields.map(({ name, label, description, placeholder }) => (
          <TextInput
            key={name}
            name={name}
            label={label}
            description={description}
            placeholder={placeholder}
            maxLength={500}
            defaultValue={settings[name] ?? ''}
            error={getFieldError(name)}
          />
        ))}
      </SimpleGrid>
      <Switch
        mt="md"
        label="Email receipts"
        description="Customers with an email address get a receipt when they have paid. Leave this off if your shop sends its own."
        checked={props.areReceiptsEmailed}
        onChange={(event) => props.onReceipts(event.currentTarget.checked)}
      />
    </Section>
  );
}
