(** Flat layouts: a list of modes s:d, evaluated at every integer; the last mode is not reduced (model/layout.py). *)
From Coq Require Export ZArith List Lia Permutation Bool.
Export ListNotations.
Open Scope Z_scope.

Notation mode := (Z * Z)%type. (* size, stride *)
Notation modes := (list mode).

(** The offset at any integer: every digit but the last is reduced. No modes read like 1:0. *)
Fixpoint value (A : modes) (x : Z) : Z :=
  match A with
  | [] => 0
  | (s, d) :: T => match T with [] => d * x | _ => d * (x mod s) + value T (x / s) end
  end.

Fixpoint size (A : modes) : Z := match A with [] => 1 | (s, _) :: T => s * size T end.

Definition wf (A : modes) : Prop := Forall (fun m : mode => 1 <= fst m) A.

(** * Division *)

Lemma digits_unique b r q : 0 <= r < b -> (r + b * q) / b = q /\ (r + b * q) mod b = r.
Proof.
  intros H. split.
  - symmetry. apply (Z.div_unique _ _ q r); lia.
  - symmetry. apply (Z.mod_unique _ _ q r); lia.
Qed.

Lemma div_mod_eq x s : 1 <= s -> x = x mod s + s * (x / s) /\ 0 <= x mod s < s.
Proof. intros H. pose proof (Z.div_mod x s ltac:(lia)). pose proof (Z.mod_pos_bound x s ltac:(lia)). lia. Qed.

Lemma div_in_bounds x s n : 1 <= s -> 0 <= x < s * n -> 0 <= x / s < n.
Proof.
  intros Hs [H0 H1]. split; [apply Z.div_pos; lia|apply Z.div_lt_upper_bound; lia].
Qed.

Lemma join_bounds s n i j : 0 <= i < s -> 0 <= j < n -> 0 <= i + s * j < s * n.
Proof. intros Hi Hj. assert (s * j + s <= s * n) by (replace (s * j + s) with (s * (j + 1)) by lia; apply Z.mul_le_mono_nonneg_l; lia). nia. Qed.

Lemma floor_add b x y : 1 <= b ->
  (x + y) / b = x / b + y / b + (if b <=? x mod b + y mod b then 1 else 0).
Proof.
  intros H. destruct (div_mod_eq x b H) as [Hx Hx']. destruct (div_mod_eq y b H) as [Hy Hy'].
  destruct (Z.leb_spec b (x mod b + y mod b)).
  - replace (x + y) with ((x mod b + y mod b - b) + b * (x / b + y / b + 1)) by lia.
    apply digits_unique; lia.
  - replace (x + y) with ((x mod b + y mod b) + b * (x / b + y / b)) by lia.
    rewrite Z.add_0_r. apply digits_unique; lia.
Qed.

(** * Sizes and values *)

Lemma wf_cons s d T : wf ((s, d) :: T) <-> 1 <= s /\ wf T.
Proof. unfold wf. rewrite Forall_cons_iff. reflexivity. Qed.

Lemma wf_app A B : wf (A ++ B) <-> wf A /\ wf B.
Proof. apply Forall_app. Qed.

Lemma size_pos A : wf A -> 1 <= size A.
Proof.
  induction A as [|[s d] T IH]; cbn [size]; [lia|].
  rewrite wf_cons. intros [Hs HT]. specialize (IH HT). nia.
Qed.

Lemma size_app A B : size (A ++ B) = size A * size B.
Proof. induction A as [|[s d] T IH]; cbn [size app]; [lia|]. rewrite IH. lia. Qed.

Lemma value_0 A : value A 0 = 0.
Proof.
  induction A as [|[s d] T IH]; [reflexivity|].
  destruct T as [|m T]; [cbn; lia|].
  change (d * (0 mod s) + value (m :: T) (0 / s) = 0). rewrite Zmod_0_l, Zdiv_0_l, IH. lia.
Qed.

Lemma value_step s d T x : T <> [] -> value ((s, d) :: T) x = d * (x mod s) + value T (x / s).
Proof. destruct T; [congruence|reflexivity]. Qed.

Lemma value_in s d T x : 1 <= s -> 0 <= x < s * size T ->
  value ((s, d) :: T) x = d * (x mod s) + value T (x / s).
Proof.
  intros Hs Hx. destruct T as [|m T]; [|reflexivity].
  cbn [size] in Hx. rewrite Z.mod_small by lia. cbn. lia.
Qed.

Lemma value_digits s d T i j : 0 <= i < s -> wf T -> 0 <= j < size T ->
  value ((s, d) :: T) (i + s * j) = d * i + value T j.
Proof.
  intros Hi HT Hj. rewrite value_in; [|lia|now apply join_bounds].
  destruct (digits_unique s i j Hi) as [-> ->]. reflexivity.
Qed.

Lemma value_digits_all s d T i j : 0 <= i < s -> T <> [] -> value ((s, d) :: T) (i + s * j) = d * i + value T j.
Proof. intros Hi HT. rewrite value_step by assumption. destruct (digits_unique s i j Hi) as [-> ->]. reflexivity. Qed.

(** Concatenation, at every integer when the second part is there, in bounds else. *)
Lemma value_app_all A B i j : wf A -> B <> [] -> 0 <= i < size A ->
  value (A ++ B) (i + size A * j) = value A i + value B j.
Proof.
  revert i. induction A as [|[s d] T IH]; intros i HA HB Hi.
  - cbn [size app] in *. replace i with 0 by lia. rewrite value_0, !Z.add_0_l, Z.mul_1_l. reflexivity.
  - apply wf_cons in HA as [Hs HT]. cbn [size] in Hi. cbn [app size].
    rewrite value_step by (destruct T, B; cbn; congruence).
    rewrite (value_in s d T) by lia.
    destruct (div_mod_eq i s Hs) as [E Hm]. pose proof (div_in_bounds i s (size T) Hs Hi) as Hq.
    assert (E2 : i + s * size T * j = i mod s + s * (i / s + size T * j)) by nia.
    rewrite E2. destruct (digits_unique s (i mod s) (i / s + size T * j) Hm) as [-> ->].
    rewrite IH by assumption. lia.
Qed.

Lemma value_app A B i j : wf A -> 0 <= i < size A -> 0 <= j < size B ->
  value (A ++ B) (i + size A * j) = value A i + value B j.
Proof.
  intros HA Hi Hj. destruct B as [|m B]; [|apply value_app_all; congruence || assumption].
  cbn [size] in Hj. rewrite app_nil_r. replace j with 0 by lia. rewrite Z.mul_0_r, Z.add_0_r. cbn. lia.
Qed.

(** Modes past the part that is used do not matter (apparent violations, paper 3.3.3). *)
Theorem truncation A B x : wf A -> wf B -> 0 <= x < size A -> value (A ++ B) x = value A x.
Proof.
  intros HA HB Hx. pose proof (size_pos B HB).
  replace x with (x + size A * 0) at 1 by lia. rewrite value_app by lia || assumption.
  rewrite value_0. lia.
Qed.

(** A mode of size 1 that is not the last goes without a trace, at every integer. *)
Theorem size_one_inner d T x : T <> [] -> value ((1, d) :: T) x = value T x.
Proof. intros H. rewrite value_step by assumption. rewrite Z.mod_1_r, Z.div_1_r. lia. Qed.

(** A trailing mode 1:e: nothing in bounds, e more for each round past the end. *)
Theorem trailing_one A e i j : wf A -> 0 <= i < size A ->
  value (A ++ [(1, e)]) (i + size A * j) = value A i + e * j
  /\ value (A ++ [(1, e)]) i = value A i
  /\ size (A ++ [(1, e)]) = size A.
Proof.
  intros HA Hi. repeat split.
  - rewrite value_app_all by (assumption || congruence). reflexivity.
  - apply truncation; [assumption| |assumption]. repeat constructor. cbn; lia.
  - rewrite size_app. cbn; lia.
Qed.

(** So dropping it changes values past the end. *)
Example trailing_one_differs : value [(4, 1); (1, 7)] 4 = 7 /\ value [(4, 1)] 4 = 4.
Proof. split; reflexivity. Qed.

(** * The integers 0 … n-1 *)

Definition range (n : Z) : list Z := map Z.of_nat (seq 0 (Z.to_nat n)).

Lemma in_range n x : In x (range n) <-> 0 <= x < n.
Proof.
  unfold range. rewrite in_map_iff. split.
  - intros (k & <- & Hk). apply in_seq in Hk. lia.
  - intros H. exists (Z.to_nat x). split; [lia|]. apply in_seq. lia.
Qed.

Lemma range_length n : length (range n) = Z.to_nat n.
Proof. unfold range. now rewrite map_length, seq_length. Qed.

Lemma range_nodup n : NoDup (range n).
Proof.
  unfold range. apply FinFun.Injective_map_NoDup; [|apply seq_NoDup].
  intros a b. apply Nat2Z.inj.
Qed.

Lemma seq_from a n : seq a n = map (Nat.add a) (seq 0 n).
Proof.
  revert a. induction n as [|n IH]; intros a; [reflexivity|].
  cbn. f_equal; [lia|]. rewrite (IH (S a)), (IH 1%nat), map_map. apply map_ext. intros k. lia.
Qed.

Lemma range_add a b : 0 <= a -> 0 <= b -> range (a + b) = range a ++ map (Z.add a) (range b).
Proof.
  intros Ha Hb. unfold range. rewrite Z2Nat.inj_add by assumption. rewrite seq_app, map_app. f_equal.
  rewrite (seq_from (0 + _)), !map_map. apply map_ext. intros k. lia.
Qed.

Lemma range_1 : range 1 = [0].
Proof. reflexivity. Qed.

Lemma range_mul s n : 0 <= s -> 0 <= n -> range (s * n) = flat_map (fun j => map (fun i => i + s * j) (range s)) (range n).
Proof.
  intros Hs Hn. pattern n. apply natlike_ind; [| |assumption].
  - rewrite Z.mul_0_r. reflexivity.
  - intros m Hm IH. unfold Z.succ. rewrite (range_add m 1), flat_map_app, <- IH by lia.
    replace (s * (m + 1)) with (s * m + s) by lia. rewrite range_add by nia. f_equal.
    rewrite range_1. cbn. rewrite app_nil_r. apply map_ext. intros i. lia.
Qed.

(** * Sums of lists, and the offsets of a layout with their multiplicities *)

Definition sums (X Y : list Z) : list Z := flat_map (fun y => map (fun x => x + y) X) Y.

Definition image (A : modes) : list Z := map (value A) (range (size A)).

Definition steps (m : mode) : list Z := map (Z.mul (snd m)) (range (fst m)).

Lemma sums_cons_r X y Y : sums X (y :: Y) = map (fun x => x + y) X ++ sums X Y.
Proof. reflexivity. Qed.

Lemma sums_nil_r X : sums X [] = [].
Proof. reflexivity. Qed.

Global Opaque sums.

Lemma in_sums X Y z : In z (sums X Y) <-> exists x y, In x X /\ In y Y /\ z = x + y.
Proof.
  Transparent sums. unfold sums. Opaque sums. rewrite in_flat_map. split.
  - intros (y & Hy & H). apply in_map_iff in H as (x & <- & Hx). eauto.
  - intros (x & y & Hx & Hy & ->). exists y. split; [assumption|]. apply in_map_iff. eauto.
Qed.

Lemma sums_app_r X Y W : sums X (Y ++ W) = sums X Y ++ sums X W.
Proof. induction Y as [|y Y IH]; [reflexivity|]. cbn [app]. rewrite !sums_cons_r, IH. apply app_assoc. Qed.

Lemma sums_perm_l X X' Y : Permutation X X' -> Permutation (sums X Y) (sums X' Y).
Proof.
  intros H. induction Y as [|y Y IH]; [reflexivity|]. rewrite !sums_cons_r. apply Permutation_app; [|exact IH].
  now apply Permutation_map.
Qed.

Lemma sums_perm_r X Y Y' : Permutation Y Y' -> Permutation (sums X Y) (sums X Y').
Proof. Transparent sums. intros H. apply Permutation_flat_map, H. Opaque sums. Qed.

Lemma sums_nil_l Y : sums [] Y = [].
Proof. induction Y; [reflexivity|assumption]. Qed.

Lemma sums_cons_l x X Y : Permutation (sums (x :: X) Y) (map (fun y => x + y) Y ++ sums X Y).
Proof.
  induction Y as [|y Y IH]; [reflexivity|]. rewrite !sums_cons_r. cbn [map app]. apply perm_skip.
  rewrite IH. rewrite !app_assoc. apply Permutation_app_tail, Permutation_app_comm.
Qed.

Lemma sums_comm X Y : Permutation (sums X Y) (sums Y X).
Proof.
  revert Y. induction X as [|x X IH]; intros Y.
  - rewrite sums_nil_l. reflexivity.
  - rewrite sums_cons_l, IH, sums_cons_r. apply Permutation_app_tail.
    erewrite map_ext; [reflexivity|]. intros; cbn; lia.
Qed.

Lemma sums_map_l c X Y : sums (map (fun x => x + c) X) Y = map (fun x => x + c) (sums X Y).
Proof.
  induction Y as [|y Y IH]; [reflexivity|]. rewrite !sums_cons_r, IH, map_app. f_equal.
  rewrite !map_map. apply map_ext. intros; lia.
Qed.

Lemma sums_map_r c X Y : sums X (map (fun y => y + c) Y) = map (fun x => x + c) (sums X Y).
Proof.
  induction Y as [|y Y IH]; [reflexivity|]. cbn [map]. rewrite !sums_cons_r, IH, map_app. f_equal.
  rewrite !map_map. apply map_ext. intros; lia.
Qed.

Lemma sums_assoc X Y W : sums (sums X Y) W = sums X (sums Y W).
Proof.
  induction W as [|w W IH]; [reflexivity|]. rewrite !sums_cons_r, sums_app_r, IH. f_equal.
  symmetry. apply sums_map_r.
Qed.

Lemma sums_0_l Y : sums [0] Y = Y.
Proof. induction Y as [|y Y IH]; [reflexivity|]. rewrite sums_cons_r, IH. reflexivity. Qed.

Lemma sums_0_r X : sums X [0] = X.
Proof.
  rewrite sums_cons_r, sums_nil_r, app_nil_r. rewrite <- (map_id X) at 2. apply map_ext. intros; lia.
Qed.

Lemma nodup_map_inj {A B} (f : A -> B) l : NoDup (map f l) -> forall a b, In a l -> In b l -> f a = f b -> a = b.
Proof.
  induction l as [|c l IH]; [easy|]. cbn. intros H a b Ha Hb E. inversion_clear H as [|? ? Hn Hl].
  destruct Ha as [<-|Ha], Hb as [<-|Hb]; [reflexivity| | |now apply IH].
  - exfalso. apply Hn. rewrite E. now apply in_map.
  - exfalso. apply Hn. rewrite <- E. now apply in_map.
Qed.

Lemma nodup_app_disj {A} (l1 l2 : list A) : NoDup (l1 ++ l2) -> forall a, In a l1 -> In a l2 -> False.
Proof.
  induction l1 as [|b l IH]; [easy|]. cbn. intros H a Ha H2. inversion_clear H as [|? ? Hn Hl].
  destruct Ha as [<-|Ha]; [|eauto]. apply Hn, in_or_app. now right.
Qed.

Lemma nodup_app_r {A} (l1 l2 : list A) : NoDup (l1 ++ l2) -> NoDup l2.
Proof. induction l1 as [|b l IH]; [easy|]. cbn. intros H. inversion_clear H. auto. Qed.

Lemma nodup_app_l {A} (l1 l2 : list A) : NoDup (l1 ++ l2) -> NoDup l1.
Proof.
  induction l1 as [|b l IH]; [constructor|]. cbn. intros H. inversion_clear H as [|? ? Hn Hl].
  constructor; [|auto]. intros Hb. apply Hn, in_or_app. now left.
Qed.

(** Without repetition a sum has one pair of summands. *)
Lemma sums_unique X Y : NoDup (sums X Y) -> forall x y x' y', In x X -> In y Y -> In x' X -> In y' Y ->
  x + y = x' + y' -> x = x' /\ y = y'.
Proof.
  induction Y as [|b Y IH]; [easy|]. rewrite sums_cons_r. intros H x y x' y' Hx Hy Hx' Hy' E.
  pose proof (nodup_app_disj _ _ H) as Hd. pose proof (nodup_app_l _ _ H) as Hl. pose proof (nodup_app_r _ _ H) as Hr.
  destruct Hy as [<-|Hy], Hy' as [<-|Hy'].
  - split; [lia|reflexivity].
  - exfalso. apply (Hd (x + b)); [apply in_map_iff; eauto|]. apply in_sums. exists x', y'. auto.
  - exfalso. apply (Hd (x' + b)); [apply in_map_iff; eauto|]. apply in_sums. exists x, y. auto.
  - now apply IH.
Qed.

Lemma nodup_sums_l X Y : NoDup (sums X Y) -> Y <> [] -> NoDup X.
Proof.
  destruct Y as [|y Y]; [congruence|]. rewrite sums_cons_r. intros H _. apply nodup_app_l in H. eapply NoDup_map_inv, H.
Qed.

Lemma image_cons s d T : 1 <= s -> wf T -> image ((s, d) :: T) = sums (steps (s, d)) (image T).
Proof.
  Transparent sums. intros Hs HT. pose proof (size_pos T HT). unfold image, sums. Opaque sums. cbn [size]. rewrite range_mul by lia.
  rewrite flat_map_concat_map, concat_map, map_map, flat_map_concat_map, map_map. f_equal.
  apply map_ext_in. intros j Hj. apply in_range in Hj. unfold steps. cbn [fst snd]. rewrite !map_map.
  apply map_ext_in. intros i Hi. apply in_range in Hi. apply value_digits; assumption.
Qed.

Lemma image_nil : image [] = [0].
Proof. reflexivity. Qed.

Lemma image_app A B : wf A -> wf B -> image (A ++ B) = sums (image A) (image B).
Proof.
  intros HA HB. induction A as [|[s d] T IH].
  - rewrite image_nil, sums_0_l. reflexivity.
  - apply wf_cons in HA as [Hs HT]. cbn [app]. rewrite !image_cons by (try apply wf_app; auto).
    rewrite IH by assumption. symmetry. apply sums_assoc.
Qed.

Lemma wf_perm A B : Permutation A B -> wf A -> wf B.
Proof. intros H. apply Permutation_Forall, H. Qed.

Lemma size_perm A B : Permutation A B -> size A = size B.
Proof.
  induction 1 as [|[s d] ? ? ? IH|[s d] [r k] ?|? ? ? ? IH1 ? IH2]; cbn [size]; [reflexivity|now rewrite IH|lia|lia].
Qed.

(** The order of the modes does not matter to the multiset of offsets. *)
Theorem image_perm A B : wf A -> Permutation A B -> Permutation (image A) (image B).
Proof.
  intros HA H. revert HA. induction H as [|[s d] A B H IH|[s d] [r k] T|A B C H1 IH1 H2 IH2]; intros HA.
  - reflexivity.
  - apply wf_cons in HA as [Hs HT]. rewrite !image_cons by (eauto using wf_perm). apply sums_perm_r, IH, HT.
  - apply wf_cons in HA as [Hs HA]. apply wf_cons in HA as [Hr HT].
    rewrite !image_cons by (repeat (assumption || apply wf_cons || split)).
    rewrite <- !sums_assoc. apply sums_perm_l, sums_comm.
  - rewrite IH1 by assumption. apply IH2. eapply wf_perm; eassumption.
Qed.

Lemma in_image A y : In y (image A) <-> exists x, 0 <= x < size A /\ value A x = y.
Proof.
  unfold image. rewrite in_map_iff. split; intros (x & H1 & H2); exists x.
  - apply in_range in H2. auto.
  - split; [assumption|]. apply in_range. assumption.
Qed.

Lemma image_0 A : wf A -> In 0 (image A).
Proof. intros H. apply in_image. exists 0. pose proof (size_pos A H). split; [lia|apply value_0]. Qed.
