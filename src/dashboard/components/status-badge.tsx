import { Badge } from '@mantine/core';

/** Colour and word of each status of the API. The word carries the meaning; the colour only helps the eye. */
const looks: Record<string, { color: string; text: string }> = {
  pending: { color: 'blue', text: 'Pending' },
  completed: { color: 'teal', text: 'Completed' },
  expired: { color: 'gray', text: 'Expired' },
  cancelled: { color: 'gray', text: 'Cancelled' },
  created: { color: 'blue', text: 'Not opened' },
  initiated: { color: 'blue', text: 'Opened' },
  charged: { color: 'teal', text: 'Charged' },
  delivered: { color: 'teal', text: 'Delivered' },
  sent: { color: 'teal', text: 'Sent' },
  mailbox: { color: 'gray', text: 'Kept here' },
  failed: { color: 'red', text: 'Failed' },
  skipped: { color: 'gray', text: 'Skipped' },
  matched: { color: 'teal', text: 'Matched' },
  partial: { color: 'amber', text: 'Part' },
  over: { color: 'amber', text: 'Too much' },
  exception: { color: 'red', text: 'Waits for you' },
  duplicate: { color: 'gray', text: 'Known already' },
  returned: { color: 'gray', text: 'Sent back' },
  outgoing: { color: 'gray', text: 'Went out' },
  active: { color: 'teal', text: 'Active' },
  ending: { color: 'amber', text: 'Ending' },
  retired: { color: 'gray', text: 'Retired' },
  working: { color: 'teal', text: 'Working' },
  failing: { color: 'red', text: 'Failing' },
  off: { color: 'gray', text: 'Switched off' },
  upcoming: { color: 'blue', text: 'Upcoming' },
  signing: { color: 'teal', text: 'Signs' },
  verifying: { color: 'gray', text: 'Verifies' },
  revoked: { color: 'red', text: 'Revoked' },
  subscription_unstarted: { color: 'blue', text: 'Not paid yet' },
  subscription_paused: { color: 'amber', text: 'Paused' },
  plan_active: { color: 'teal', text: 'Open' },
  plan_inactive: { color: 'gray', text: 'Closed' },
  invoice_open: { color: 'blue', text: 'Open' },
  invoice_paid: { color: 'teal', text: 'Paid' },
  invoice_void: { color: 'gray', text: 'Void' },
  statement_queued: { color: 'blue', text: 'Waits' },
  statement_running: { color: 'blue', text: 'Importing' },
  statement_done: { color: 'teal', text: 'Imported' },
  statement_failed: { color: 'red', text: 'Failed' },
  refund_initiated: { color: 'blue', text: 'Asking the customer' },
  refund_processing: { color: 'amber', text: 'To be paid' },
  refund_completed: { color: 'teal', text: 'Completed' },
  refund_cancelled: { color: 'gray', text: 'Withdrawn' },
  payout_new: { color: 'blue', text: 'In no file' },
  payout_exported: { color: 'amber', text: 'Exported' },
  export_queued: { color: 'gray', text: 'Waits' },
  export_running: { color: 'blue', text: 'Being made' },
  export_done: { color: 'teal', text: 'Ready' },
  export_failed: { color: 'red', text: 'Failed' },
  second_factor_on: { color: 'teal', text: 'On' },
  second_factor_off: { color: 'gray', text: 'Off' },
  access_none: { color: 'gray', text: 'No access' },
  access_requested: { color: 'amber', text: 'Asked for' },
  access_granted: { color: 'teal', text: 'Granted' },
};

export function StatusBadge({ status }: { status: string }) {
  const { color, text } = looks[status] ?? { color: 'gray', text: status };
  return (
    <Badge color={color} variant="light" tt="none" fw={600} flex="none" miw="max-content">
      {text}
    </Badge>
  );
}
