export { BillingView } from "./BillingView";
export { PaymentSuccess } from "./PaymentSuccess";
export { ReceiptPage } from "./ReceiptPage";
export { RenewBanner } from "./RenewBanner";
export { Subscribe } from "./Subscribe";
