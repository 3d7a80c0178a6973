import type { ReactNode } from 'react';

/** A line icon on a 24 by 24 grid. It is hidden from screen readers, because a text label is next to it. */
function Icon({ children }: { children: ReactNode }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width="18"
      height="18"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}

export const HomeIcon = () => (
  <Icon>
    <path d="M4 11 12 4l8 7v9h-5v-6H9v6H4z" />
  </Icon>
);

export const HelpIcon = () => (
  <Icon>
    <circle cx="12" cy="12" r="8.5" />
    <path d="M9.5 9.5a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1 1-1.1 1.8M12 16.5v0" />
  </Icon>
);

export const ChevronIcon = () => (
  <Icon>
    <path d="m9 6 6 6-6 6" />
  </Icon>
);

export const SearchIcon = () => (
  <Icon>
    <circle cx="11" cy="11" r="6.5" />
    <path d="m16 16 4.5 4.5" />
  </Icon>
);

export const ChargeIcon = () => (
  <Icon>
    <rect x="3" y="6" width="18" height="12" rx="2" />
    <circle cx="12" cy="12" r="2.5" />
    <path d="M6.5 9.5v0M17.5 14.5v0" />
  </Icon>
);

export const TransferIcon = () => (
  <Icon>
    <path d="M12 3v11M8 10l4 4 4-4M4 15v4a1 1 0 0 0 1 1h14a1 1 0 0 0 1-1v-4" />
  </Icon>
);

export const StatementIcon = () => (
  <Icon>
    <path d="M6 3h9l4 4v14H6zM14 3v5h5M9 12h7M9 16h7" />
  </Icon>
);

export const RefundIcon = () => (
  <Icon>
    <path d="M8 5 4 9l4 4M4 9h10a5.5 5.5 0 0 1 0 11h-4" />
  </Icon>
);

export const PayoutIcon = () => (
  <Icon>
    <path d="M12 15V4M8 8l4-4 4 4M4 15v4a1 1 0 0 0 1 1h14a1 1 0 0 0 1-1v-4" />
  </Icon>
);

export const BooksIcon = () => (
  <Icon>
    <rect x="4" y="4" width="16" height="16" rx="2" />
    <path d="M4 9h16M4 14h16M13 4v16" />
  </Icon>
);

export const HealthIcon = () => (
  <Icon>
    <path d="M3 12h4l3-7 4 14 3-7h4" />
  </Icon>
);

export const ExportIcon = () => (
  <Icon>
    <path d="M6 3h8l4 4v14H6zM14 3v4h4M12 11v6M9.5 14.5 12 17l2.5-2.5" />
  </Icon>
);

export const SubscriptionIcon = () => (
  <Icon>
    <path d="M4 12a8 8 0 0 1 13.7-5.6L20 8.5M20 4v4.5h-4.5M20 12a8 8 0 0 1-13.7 5.6L4 15.5M4 20v-4.5h4.5" />
  </Icon>
);

export const PlanIcon = () => (
  <Icon>
    <rect x="4" y="5" width="16" height="15" rx="2" />
    <path d="M4 10h16M9 3v4M15 3v4" />
  </Icon>
);

export const InvoiceIcon = () => (
  <Icon>
    <path d="M6 3h12v18l-3-2-3 2-3-2-3 2zM9 8h6M9 12h6" />
  </Icon>
);

export const ClockIcon = () => (
  <Icon>
    <circle cx="12" cy="12" r="8.5" />
    <path d="M12 7v5l3.5 2" />
  </Icon>
);

export const LinkIcon = () => (
  <Icon>
    <path d="M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1" />
    <path d="M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1" />
  </Icon>
);

export const SessionIcon = () => (
  <Icon>
    <path d="M4 5h2l2 11h10l2-8H7" />
    <circle cx="10" cy="20" r="1" />
    <circle cx="17" cy="20" r="1" />
  </Icon>
);

export const AccountIcon = () => (
  <Icon>
    <path d="M3 10 12 5l9 5M5 10v8M10 10v8M14 10v8M19 10v8M3 20h18" />
  </Icon>
);

export const WebhookIcon = () => (
  <Icon>
    <path d="M12 8.5 8.5 15M13 9.5 17 16M9 17h8" />
    <circle cx="12" cy="6.5" r="2.5" />
    <circle cx="6.5" cy="17" r="2.5" />
    <circle cx="18.5" cy="17.5" r="2.5" />
  </Icon>
);

export const NotificationIcon = () => (
  <Icon>
    <path d="M4 6h16v12H4zM4 7l8 6 8-6" />
  </Icon>
);

export const CertificateIcon = () => (
  <Icon>
    <circle cx="8" cy="12" r="4" />
    <path d="M12 12h9M18 12v3M15 12v2" />
  </Icon>
);

export const MailIcon = () => (
  <Icon>
    <path d="M4 13 6.5 5h11L20 13v6H4zM4 13h5l1 2.5h4l1-2.5h5" />
  </Icon>
);

export const NoteIcon = () => (
  <Icon>
    <path d="M5 4h14v11l-5 5H5zM14 20v-5h5M9 9h6M9 13h3" />
  </Icon>
);

export const CopyIcon = () => (
  <Icon>
    <rect x="9" y="9" width="11" height="11" rx="2" />
    <path d="M5 15V6a2 2 0 0 1 2-2h8" />
  </Icon>
);

export const CheckIcon = () => (
  <Icon>
    <path d="m5 13 4 4L19 7" />
  </Icon>
);

export const KeyIcon = () => (
  <Icon>
    <circle cx="8" cy="15" r="4" />
    <path d="M11 12 20 3M16 7l3 3" />
  </Icon>
);

export const SettingsIcon = () => (
  <Icon>
    <path d="M4 7h10M18 7h2M4 17h2M10 17h10" />
    <circle cx="16" cy="7" r="2" />
    <circle cx="8" cy="17" r="2" />
  </Icon>
);

export const AccessIcon = () => (
  <Icon>
    <rect x="5" y="11" width="14" height="9" rx="2" />
    <path d="M8 11V8a4 4 0 0 1 8 0v3" />
  </Icon>
);

export const AuditIcon = () => (
  <Icon>
    <path d="M6 3h9l4 4v14H6zM9 11h7M9 15h7M9 7h3" />
  </Icon>
);

export const UsersIcon = () => (
  <Icon>
    <circle cx="9" cy="8" r="3.5" />
    <path d="M3 20a6 6 0 0 1 12 0M15.5 5a3.5 3.5 0 0 1 0 6.5M17 14.5a6 6 0 0 1 4 5.5" />
  </Icon>
);
