export const roleTexts = {
  owner: { name: 'Owner', text: 'full access, including money, keys and users.' },
  developer: {
    name: 'Developer',
    text: 'full access in the sandbox. In live mode, no access to money, API keys or users.',
  },
  accountant: {
    name: 'Accountant',
    text: 'sees and exports everything, imports statements and assigns transfers.',
  },
  support: { name: 'Support', text: 'sees everything, creates links and cancels charges.' },
  cashier: { name: 'Cashier', text: 'sells at the counter, and sees only their own sales.' },
  read_only: { name: 'Read-only', text: 'sees everything and exports lists.' },
  operator: { name: 'Operator', text: 'runs this server and does not act for any merchant.' },
};
