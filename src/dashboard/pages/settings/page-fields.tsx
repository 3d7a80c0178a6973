import { SimpleGrid, TextInput } from '@mantine/core';
import { Section } from '../../components/section.tsx';
import type { SettingsDetails } from './settings-query.ts';

/** What customer pages show about the merchant. */
export const pageFields = [
  {
    name: 'supportEmail',
    label: 'Support email',
    description: 'For questions of customers',
    placeholder: 'help@shop.example',
  },
  {
    name: 'websiteUrl',
    label: 'Website',
    description: 'Where customers return to if a payment has no return URL',
    placeholder: 'https://shop.example',
  },
  {
    name: 'termsUrl',
    label: 'Terms',
    description: 'A link on every page',
    placeholder: 'https://shop.example/terms',
  },
  {
    name: 'privacyUrl',
    label: 'Privacy policy',
    description: 'A link on every page',
    placeholder: 'https://shop.example/privacy',
  },
  {
    name: 'country',
    label: 'Country',
    description: 'Whose payment methods customers see first, such as HK',
    placeholder: 'HK',
  },
] as const;

type PageFieldName = (typeof pageFields)[number]['name'];

export function PageFields(props: {
  settings: SettingsDetails;
  getFieldError: (name: PageFieldName) => string | undefined;
}) {
  const { settings, getFieldError } = props;
  return (
    <Section title="Customer pages">
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
    </Section>
  );
}
