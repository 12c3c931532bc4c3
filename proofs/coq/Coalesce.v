(** Coalesce (paper 3.2, model/coalesce.py), and which functions on 0 … n-1 are layouts (model/floor_form.py). *)
From Veritile Require Import Modes.

Definition join (m : mode) (R : modes) : modes :=
  let (s, d) := m in
  if s =? 1 then R else
  match R with
  | [] => [(s, d)]
  | (r, k) :: T => if k =? s * d then (s * r, d) :: T else (s, d) :: R
  end.

Fixpoint coalesce (A : modes) : modes := match A with [] => [] | m :: T => join m (coalesce T) end.

(** No mode of size 1, and none that continues the one before. *)
Fixpoint canonical (A : modes) : Prop :=
  match A with
  | [] => True
  | (s, d) :: T => 2 <= s /\ match T with [] => True | (_, k) :: _ => k <> s * d end /\ canonical T
  end.

(** The same size and the same offsets in bounds. *)
Definition same (A B : modes) : Prop := size A = size B /\ forall x, 0 <= x < size A -> value A x = value B x.

Lemma canonical_wf A : canonical A -> wf A.
Proof.
  induction A as [|[s d] T IH]; [constructor|]. cbn [canonical]. intros (Hs & _ & HT). apply wf_cons.
  split; [lia|auto].
Qed.

(** Two modes that continue one another are one, at every integer. *)
Theorem merge s d r T x : 1 <= s -> 1 <= r ->
  value ((s, d) :: (r, s * d) :: T) x = value ((s * r, d) :: T) x
  /\ size ((s, d) :: (r, s * d) :: T) = size ((s * r, d) :: T).
Proof.
  intros Hs Hr. split; [|cbn [size]; lia].
  rewrite value_step by congruence. destruct (div_mod_eq x s Hs) as [E _].
  destruct T as [|m T].
  - cbn. rewrite E at 3. lia.
  - rewrite !value_step by congruence. rewrite Z.rem_mul_r, Z.div_div by lia. lia.
Qed.

Lemma join_ok s d R : 1 <= s -> canonical R -> canonical (join (s, d) R) /\ same (join (s, d) R) ((s, d) :: R).
Proof.
  intros Hs HR. pose proof (canonical_wf R HR) as HW. cbn [join]. destruct (Z.eqb_spec s 1) as [->|Hn].
  - split; [assumption|]. split; [cbn [size]; lia|]. intros x Hx. rewrite value_in by lia.
    rewrite Z.mod_1_r, Z.div_1_r. lia.
  - destruct R as [|[r k] T].
    + split; [cbn; lia|]. split; reflexivity.
    + destruct HR as (Hr & Hk & HT). destruct (Z.eqb_spec k (s * d)) as [->|Hk'].
      * split.
        -- cbn [canonical]. split; [nia|]. split; [|assumption]. destruct T as [|[q e] T]; [exact I|]. nia.
        -- split; [cbn [size]; lia|]. intros x _. symmetry. apply merge; lia.
      * split; [|split; reflexivity]. cbn [canonical]. repeat split; try assumption. lia.
Qed.

Lemma same_cons s d A B : 1 <= s -> wf A -> wf B -> same A B -> same ((s, d) :: A) ((s, d) :: B).
Proof.
  intros Hs HA HB [E H]. split; [cbn [size]; lia|]. intros x Hx. cbn [size] in Hx.
  rewrite !value_in by lia. rewrite H; [reflexivity|]. apply div_in_bounds; lia.
Qed.

Lemma same_trans A B C : same A B -> same B C -> same A C.
Proof. intros [E1 H1] [E2 H2]. split; [lia|]. intros x Hx. rewrite H1 by assumption. apply H2. lia. Qed.

Lemma same_sym A B : same A B -> same B A.
Proof. intros [E H]. split; [lia|]. intros x Hx. symmetry. apply H. lia. Qed.

(** Coalesce keeps the size and, in bounds, every offset; what it gives is canonical. *)
Theorem coalesce_correct A : wf A -> canonical (coalesce A) /\ same (coalesce A) A.
Proof.
  induction A as [|[s d] T IH]; intros HA.
  - split; [exact I|split; reflexivity].
  - apply wf_cons in HA as [Hs HT]. destruct (IH HT) as [HC HS]. cbn [coalesce].
    destruct (join_ok s d (coalesce T) Hs HC) as [H1 H2]. split; [assumption|].
    eapply same_trans; [eassumption|]. apply same_cons; auto using canonical_wf.
Qed.

Lemma coalesce_wf A : wf A -> wf (coalesce A).
Proof. intros H. apply canonical_wf, coalesce_correct, H. Qed.

Lemma coalesce_image A : wf A -> image (coalesce A) = image A.
Proof.
  intros H. destruct (coalesce_correct A H) as [_ [E V]]. unfold image. rewrite E.
  apply map_ext_in. intros x Hx. apply in_range in Hx. apply V. lia.
Qed.

(** * Runs: the longest m with f(i) = i·f(1) for i < m *)

Fixpoint run_from (fuel : nat) (f : Z -> Z) (i : Z) : Z :=
  match fuel with
  | O => i
  | S k => if f i =? i * f 1 then run_from k f (i + 1) else i
  end.

Definition longest_run (f : Z -> Z) (n : Z) : Z := run_from (Z.to_nat (n - 2)) f 2.

Lemma run_from_spec k f : forall i, let m := run_from k f i in
  i <= m <= i + Z.of_nat k /\ (forall j, i <= j < m -> f j = j * f 1) /\ (m = i + Z.of_nat k \/ f m <> m * f 1).
Proof.
  induction k as [|k IH]; intros i; cbn [run_from].
  - repeat split; lia.
  - destruct (Z.eqb_spec (f i) (i * f 1)) as [E|N].
    + specialize (IH (i + 1)). cbn zeta in *. destruct IH as (H1 & H2 & H3). repeat split; try lia.
      intros j Hj. destruct (Z.eq_dec j i) as [->|]; [assumption|]. apply H2. lia.
    + cbn zeta. repeat split; try lia.
Qed.

Lemma longest_run_spec f n : 2 <= n -> let m := longest_run f n in
  2 <= m <= n /\ (forall j, 1 <= j < m -> f j = j * f 1) /\ (m = n \/ f m <> m * f 1).
Proof.
  intros Hn. unfold longest_run. destruct (run_from_spec (Z.to_nat (n - 2)) f 2) as (H1 & H2 & H3).
  cbn zeta in *. split; [lia|]. split.
  - intros j Hj. destruct (Z.eq_dec j 1) as [->|]; [lia|]. apply H2. lia.
  - destruct H3; [left; lia|right; assumption].
Qed.

Lemma longest_run_is f n m : 2 <= m <= n -> (forall j, 1 <= j < m -> f j = j * f 1) -> (m = n \/ f m <> m * f 1) ->
  longest_run f n = m.
Proof.
  intros Hm H1 H2. destruct (longest_run_spec f n ltac:(lia)) as (A & B & C). cbn zeta in *.
  destruct (Z.lt_trichotomy (longest_run f n) m) as [L|[E|L]]; [|assumption|].
  - destruct C as [C|C]; [lia|]. exfalso. apply C, H1. lia.
  - destruct H2 as [H2|H2]; [lia|]. exfalso. apply H2, B. lia.
Qed.

(** The only candidate for a layout with the values of f on 0 … n-1. *)
Fixpoint represent (fuel : nat) (f : Z -> Z) (n : Z) : option modes :=
  if n <=? 1 then Some [] else
  match fuel with
  | O => None
  | S k =>
      let m := longest_run f n in
      if n mod m =? 0 then
        match represent k (fun j => f (m * j)) (n / m) with
        | Some T => Some ((m, f 1) :: T)
        | None => None
        end
      else None
  end.

Definition candidate1 (f : Z -> Z) (n : Z) : option modes := represent (Z.to_nat n) f n.

Lemma represent_size fuel : forall f n R, 1 <= n -> represent fuel f n = Some R -> size R = n /\ wf R.
Proof.
  induction fuel as [|k IH]; intros f n R Hn; cbn [represent]; destruct (Z.leb_spec n 1).
  - intros [= <-]. split; [cbn; lia|constructor].
  - discriminate.
  - intros [= <-]. split; [cbn; lia|constructor].
  - destruct (longest_run_spec f n ltac:(lia)) as (A & _ & _). cbn zeta in *. set (m := longest_run f n) in *.
    destruct (Z.eqb_spec (n mod m) 0) as [E|]; [|discriminate].
    destruct (represent k _ _) as [T|] eqn:ET; [|discriminate]. intros [= <-].
    pose proof (Z.div_mod n m ltac:(lia)) as D. rewrite E in D.
    apply IH in ET as [ET WT]; [|nia]. split; [cbn [size]; lia|]. apply wf_cons. split; [lia|assumption].
Qed.

Lemma canonical_head s d T : canonical ((s, d) :: T) ->
  let L := (s, d) :: T in
  (forall i, 0 <= i < s -> value L i = d * i) /\ value L 1 = d /\ s <= size L
  /\ (s = size L \/ value L s <> s * d).
Proof.
  intros (Hs & Hk & HT). pose proof (canonical_wf T HT) as HW. pose proof (size_pos T HW) as HP. cbn zeta.
  assert (HV : forall i, 0 <= i < s -> value ((s, d) :: T) i = d * i).
  { intros i Hi. replace i with (i + s * 0) at 1 by lia. rewrite value_digits by (lia || assumption).
    rewrite value_0. lia. }
  split; [exact HV|]. split; [rewrite HV by lia; lia|]. cbn [size]. split; [nia|].
  destruct T as [|[r k] T].
  - cbn [size]. left; lia.
  - destruct HT as (Hr & HT'). pose proof (size_pos T) as HP'. cbn [size] in *.
    assert (1 <= size T) by (apply HP'; apply wf_cons in HW; apply HW).
    assert (2 <= r * size T) by nia.
    right. replace s with (0 + s * 1) at 2 by lia. rewrite value_digits; [|lia|assumption|cbn [size]; lia].
      replace 1 with (1 + r * 0) by lia.
      rewrite value_digits; [|lia|apply wf_cons in HW; apply HW|lia]. rewrite value_0. lia.
Qed.

(** A canonical layout is what [represent] finds from its values: run by run. *)
Lemma represent_canonical R : canonical R -> forall fuel f n, (length R <= fuel)%nat -> n = size R ->
  (forall i, 0 <= i < n -> f i = value R i) -> represent fuel f n = Some R.
Proof.
  induction R as [|[s d] T IH]; intros HR fuel f n Hf Hn HV.
  - cbn [size] in Hn. subst n. destruct fuel; reflexivity.
  - destruct (canonical_head s d T HR) as (H1 & H2 & H3 & H4). cbn zeta in *.
    destruct HR as (Hs & Hk & HT). pose proof (canonical_wf T HT) as HW. pose proof (size_pos T HW) as HP.
    destruct fuel as [|fuel]; [cbn in Hf; lia|]. cbn [represent]. destruct (Z.leb_spec n 1); [exfalso; lia|].
    assert (F1 : f 1 = d) by (rewrite HV by lia; exact H2).
    assert (E : longest_run f n = s).
    { apply longest_run_is; [lia| |].
      - intros j Hj. rewrite HV, F1, H1 by lia. lia.
      - destruct H4 as [H4|H4]; [left; lia|]. destruct (Z.eq_dec s n) as [|Ne]; [now left|right].
        rewrite HV, F1 by lia. exact H4. }
    rewrite E, F1. rewrite Hn. cbn [size]. rewrite Z.mul_comm, Z.mod_mul, Z.div_mul by lia. cbn [Z.eqb].
    rewrite (IH HT); [reflexivity|cbn in Hf; lia|reflexivity|].
    intros j Hj. rewrite HV; [|rewrite Hn; cbn [size]; nia].
    replace (s * j) with (0 + s * j) by lia. rewrite value_digits by (lia || assumption). lia.
Qed.

Lemma canonical_length R : canonical R -> Z.of_nat (length R) <= size R - 1.
Proof.
  induction R as [|[s d] T IH]; [cbn; lia|]. intros (Hs & _ & HT). specialize (IH HT).
  pose proof (size_pos T (canonical_wf T HT)). cbn [length size]. nia.
Qed.

Lemma candidate1_canonical R f n : canonical R -> n = size R -> (forall i, 0 <= i < n -> f i = value R i) ->
  candidate1 f n = Some R.
Proof.
  intros HR Hn HV. apply represent_canonical; try assumption. pose proof (canonical_length R HR). lia.
Qed.

Lemma candidate1_layout R f n : wf R -> n = size R -> (forall i, 0 <= i < n -> f i = value R i) ->
  candidate1 f n = Some (coalesce R).
Proof.
  intros HR Hn HV. destruct (coalesce_correct R HR) as [HC [HS HV']]. apply candidate1_canonical; [assumption|lia|].
  intros i Hi. rewrite HV, HV' by lia. reflexivity.
Qed.

(** The canonical form is unique. *)
Theorem canonical_unique A B : canonical A -> canonical B -> same A B -> A = B.
Proof.
  intros HA HB [HS HV]. assert (Some A = Some B) as [= E]; [|exact E].
  transitivity (candidate1 (value A) (size A)).
  - symmetry. now apply candidate1_canonical.
  - now apply candidate1_canonical.
Qed.

(** Two layouts are the same in bounds exactly where coalesce makes one layout of them. *)
Theorem coalesce_complete A B : wf A -> wf B -> (same A B <-> coalesce A = coalesce B).
Proof.
  intros HA HB. destruct (coalesce_correct A HA) as [CA SA]. destruct (coalesce_correct B HB) as [CB SB]. split.
  - intros H. apply canonical_unique; [assumption..|]. eauto using same_trans, same_sym.
  - intros E. rewrite E in SA. eauto using same_trans, same_sym.
Qed.

Lemma same_length_le A : wf A -> (length (coalesce A) <= length A)%nat.
Proof.
  induction A as [|[s d] T IH]; [cbn; lia|]. intros H. apply wf_cons in H as [_ H]. specialize (IH H).
  cbn [coalesce join length]. destruct (s =? 1); [lia|]. destruct (coalesce T) as [|[r k] U]; [cbn; lia|].
  destruct (k =? s * d); cbn in *; lia.
Qed.

(** So no layout with these offsets has fewer modes. *)
Theorem coalesce_minimal A B : wf A -> wf B -> same A B -> (length (coalesce A) <= length B)%nat.
Proof. intros HA HB H. apply coalesce_complete in H; [|assumption..]. rewrite H. now apply same_length_le. Qed.

(** * One dimension: which f on 0 … n-1 are layouts *)

Definition represents (f : Z -> Z) (n : Z) (R : modes) : Prop :=
  wf R /\ size R = n /\ forall i, 0 <= i < n -> value R i = f i.

Definition representable (f : Z -> Z) (n : Z) : option modes :=
  match candidate1 f n with
  | Some R => if forallb (fun i => value R i =? f i) (range n) then Some R else None
  | None => None
  end.

Lemma forallb_range (p : Z -> bool) n : forallb p (range n) = true <-> forall i, 0 <= i < n -> p i = true.
Proof.
  rewrite forallb_forall. split; intros H x Hx; apply H; now apply in_range.
Qed.

(** [representable] decides whether a layout has the values of f on 0 … n-1, and finds the canonical one. *)
Theorem representable_sound f n R : 1 <= n -> representable f n = Some R -> canonical R /\ represents f n R.
Proof.
  unfold representable. intros Hn. destruct (candidate1 f n) as [R'|] eqn:E; [|discriminate].
  destruct (forallb _ _) eqn:F; [|discriminate]. intros [= ->].
  destruct (represent_size _ _ _ _ Hn E) as [HS HW]. rewrite forallb_range in F.
  assert (HV : forall i, 0 <= i < n -> value R i = f i) by (intros i Hi; apply Z.eqb_eq, F, Hi).
  assert (E' : candidate1 f n = Some (coalesce R)).
  { apply candidate1_layout; [assumption|lia|]. intros i Hi. symmetry. auto. }
  rewrite E in E'. injection E' as E'. split; [|now repeat split].
  rewrite E'. apply coalesce_correct, HW.
Qed.

Theorem representable_complete f n R : represents f n R -> representable f n = Some (coalesce R).
Proof.
  intros (HW & HS & HV). unfold representable.
  rewrite (candidate1_layout R) by (try assumption; try lia; intros; symmetry; auto).
  replace (forallb _ _) with true; [reflexivity|]. symmetry. apply forallb_range. intros i Hi.
  apply Z.eqb_eq. destruct (coalesce_correct R HW) as [_ [H1 H2]]. rewrite H2 by lia. auto.
Qed.

Theorem representable_iff f n : 1 <= n -> ((exists R, represents f n R) <-> representable f n <> None).
Proof.
  intros Hn. split.
  - intros [R H]. rewrite (representable_complete f n R H). discriminate.
  - destruct (representable f n) as [R|] eqn:E; [|congruence]. intros _. exists R.
    now apply representable_sound.
Qed.

(** A longest run that ends before n divides n, repeats in every block, and leaves a layout again. *)
Theorem run_complete f n R : represents f n R -> 2 <= n -> let m := longest_run f n in
  n = m * (n / m) /\ (exists T, represents (fun j => f (m * j)) (n / m) T)
  /\ forall i j, 0 <= i < m -> 0 <= j < n / m -> f (i + m * j) = i * f 1 + f (m * j).
Proof.
  intros (HW & HS & HV) Hn. cbn zeta. destruct (coalesce_correct R HW) as [HC [H1 H2]].
  destruct (coalesce R) as [|[s d] T]; [cbn [size] in H1; lia|].
  destruct (canonical_head s d T HC) as (A1 & A2 & A3 & A4). cbn zeta in *.
  destruct HC as (Hs & _ & HT). pose proof (canonical_wf T HT) as HWT. pose proof (size_pos T HWT) as HP.
  assert (HF : forall i, 0 <= i < n -> f i = value ((s, d) :: T) i) by (intros i Hi; rewrite H2, HV by lia; reflexivity).
  assert (F1 : f 1 = d) by (rewrite HF by lia; exact A2).
  assert (E : longest_run f n = s).
  { apply longest_run_is; [lia| |].
    - intros j Hj. rewrite HF, F1, A1 by lia. lia.
    - destruct A4 as [A4|A4]; [left; lia|]. destruct (Z.eq_dec s n) as [|Ne]; [now left|right].
      rewrite HF, F1 by lia. exact A4. }
  rewrite E. cbn [size] in *. assert (Q : n / s = size T) by (rewrite <- HS, <- H1, Z.mul_comm; apply Z.div_mul; lia).
  rewrite Q. assert (D : forall i j, 0 <= i < s -> 0 <= j < size T -> f (i + s * j) = d * i + value T j).
  { intros i j Hi Hj. pose proof (join_bounds s (size T) i j Hi Hj). rewrite HF by lia. now apply value_digits. }
  split; [lia|]. split.
  - exists T. split; [assumption|]. split; [reflexivity|]. intros j Hj.
    specialize (D 0 j ltac:(lia) Hj). rewrite Z.add_0_l in D. lia.
  - intros i j Hi Hj. pose proof (D 0 j ltac:(lia) Hj) as D0. rewrite Z.add_0_l in D0. rewrite D0, F1, D by assumption. lia.
Qed.
