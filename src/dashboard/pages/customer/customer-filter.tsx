import { Button, Text } from '@mantine/core';
import { fillText } from '../../../language/fill-text.ts';
import { FilterPicker } from '../../components/filter-bar.tsx';
import { SearchPicker } from '../../components/search-picker.tsx';
import { useFilter } from '../../components/use-filter.ts';
import { formatPayer } from '../../format/payer.ts';
import { t } from '../../language/texts.ts';
import { type FoundCustomer, useCustomerSearch } from '../search/search-query.ts';

/** Returns the filter of a list by the customer in the URL. */
export function useCustomerFilter(): { customerEmail: string | null; customerPhone: string | null } {
  const { getFilter } = useFilter();
  return { customerEmail: getFilter('email'), customerPhone: getFilter('phone') };
}

/** Finds the customer by the beginning of a name, an email address or a phone number, or removes the filter. */
export function CustomerFilter() {
  return (
    <FilterPicker>
      <CustomerChoice />
    </FilterPicker>
  );
}

function CustomerChoice() {
  const { setFilters } = useFilter();
  const { customerEmail, customerPhone } = useCustomerFilter();
  const current = customerEmail ?? customerPhone;
  if (current !== null)
    return (
      <Button variant="default" maw="20rem" onClick={() => setFilters({ email: null, phone: null })}>
        <Text inherit truncate>
          {fillText(t.customer.removeCustomerFilter, { customer: current })}
        </Text>
      </Button>
    );
  return (
    <SearchPicker<FoundCustomer>
      name="customer"
      label={t.common.customer}
      placeholder={t.customer.nameEmailOrPhone}
      listLabel={t.common.customers}
      useItems={useCustomerSearch}
      isOffered={({ email, phone }) => email !== null || phone !== null}
      formatItem={formatPayer}
      renderItem={(customer) => <CustomerOption {...customer} />}
      emptyText={t.customer.noCustomersFound}
      onChange={(customer) => {
        if (!customer) return;
        const { email, phone } = customer;
        setFilters(email === null ? { phone } : { email });
      }}
    />
  );
}

function CustomerOption(customer: FoundCustomer) {
  const name = formatPayer(customer);
  const contact = customer.email ?? customer.phone;
  return (
    <>
      <Text size="sm" fw={600} truncate>
        {name}
      </Text>
      {contact !== name && (
        <Text size="xs" c="var(--causeway-muted)" truncate>
          {contact}
        </Text>
      )}
    </>
  );
}
