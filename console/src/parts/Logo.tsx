export const Logo = ({ size = 28 }: { size?: number }) => (
  <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden focusable="false">
    <rect width="32" height="32" rx="8" fill="#0b7082" />
    <path d="M8 9h16v11H15l-5 4v-4H8z" fill="#fff" />
  </svg>
);
