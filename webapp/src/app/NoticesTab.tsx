import { NoticesPage } from "@/features/notices";
import { TrainingSection } from "@/features/training";

/** The Notice Analysis tab, which also has the Model Training Dashboard. */
export function NoticesTab() {
  return (
    <NoticesPage>
      <TrainingSection />
    </NoticesPage>
  );
}
