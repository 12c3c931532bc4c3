(** The bounded complement (paper 3.5, model/complement.py): found exactly where one exists; ordered and unique. *)
From Veritile Require Import Modes Coalesce.

Fixpoint insert (m : mode) (l : modes) : modes :=
  match l with [] => [m] | n :: l' => if snd m <=? snd n then m :: l else n :: insert m l' end.

(** The modes of size 2 or more, by stride. *)
Definition sorted_modes (A : modes) : modes := fold_right insert [] (filter (fun m : mode => 1 <? fst m) A).

(** The gaps between modes whose strides form a divisor chain from p on, and where the chain ends. *)
Fixpoint gaps (p : Z) (A : modes) : option (modes * Z) :=
  match A with
  | [] => Some ([], p)
  | (s, d) :: T =>
      if (1 <=? d) && (d mod p =? 0) then
        match gaps (s * d) T with
        | Some (G, top) => Some ((if p <? d then [(d / p, p)] else []) ++ G, top)
        | None => None
        end
      else None
  end.

Definition rest (u top : Z) : modes := if 1 <? u then [(u, top)] else [].

Definition complement (A : modes) (N : Z) : option modes :=
  match gaps 1 (sorted_modes A) with
  | Some (G, top) => Some (G ++ rest ((N + top - 1) / top) top)
  | None => None
  end.

(** (A, C) takes every value of 0 … M-1 once and no other: [Permutation] counts. *)
Definition tiles (A C : modes) (M : Z) : Prop := Permutation (image (A ++ C)) (range M).

(** [29] *)
Definition ordered (C : modes) : Prop := forall i j, 0 <= i < j -> j < size C -> value C i < value C j.

(** * Sorting keeps the offsets *)

Lemma insert_perm m l : Permutation (insert m l) (m :: l).
Proof.
  induction l as [|n l IH]; [reflexivity|]. cbn. destruct (snd m <=? snd n); [reflexivity|].
  rewrite IH. apply perm_swap.
Qed.

Lemma sorted_perm A : Permutation (sorted_modes A) (filter (fun m : mode => 1 <? fst m) A).
Proof.
  unfold sorted_modes. induction (filter _ A) as [|m l IH]; [reflexivity|]. cbn. rewrite insert_perm. now constructor.
Qed.

Lemma filter_wf A : wf A -> wf (filter (fun m : mode => 1 <? fst m) A).
Proof. intros H. apply Forall_forall. intros m Hm. apply filter_In in Hm as [Hm _]. eapply Forall_forall in H; eassumption. Qed.

Lemma steps_1 d : steps (1, d) = [0].
Proof. change (steps (1, d)) with [d * 0]. now rewrite Z.mul_0_r. Qed.

Lemma filter_image A : wf A -> image (filter (fun m : mode => 1 <? fst m) A) = image A.
Proof.
  induction A as [|[s d] T IH]; [reflexivity|]. intros H. apply wf_cons in H as [Hs HT]. cbn [filter fst].
  destruct (Z.ltb_spec 1 s).
  - rewrite !image_cons by (auto using filter_wf). now rewrite IH.
  - assert (s = 1) as -> by lia. rewrite image_cons, steps_1, sums_0_l by assumption. auto.
Qed.

Lemma sorted_wf A : wf A -> wf (sorted_modes A).
Proof. intros H. eapply wf_perm; [symmetry; apply sorted_perm|]. now apply filter_wf. Qed.

Lemma sorted_image A : wf A -> Permutation (image (sorted_modes A)) (image A).
Proof.
  intros H. rewrite <- (filter_image A) by assumption. apply image_perm; [now apply sorted_wf|apply sorted_perm].
Qed.

(** * Sufficiency: the gaps fill up *)

Lemma steps_range s d n : 1 <= s -> 0 <= n ->
  sums (steps (s, d)) (map (Z.mul (s * d)) (range n)) = map (Z.mul d) (range (s * n)).
Proof.
  intros Hs Hn. rewrite range_mul by lia. generalize (range n) as l. induction l as [|j l IH]; [reflexivity|].
  cbn [map flat_map]. rewrite sums_cons_r, map_app, IH. f_equal. unfold steps. cbn [fst snd]. rewrite !map_map.
  apply map_ext. intros; lia.
Qed.

Lemma image_one u d : image [(u, d)] = map (Z.mul d) (range u).
Proof. unfold image. cbn [size]. rewrite Z.mul_1_r. reflexivity. Qed.

Lemma image_rest G u top : wf G -> 1 <= u -> image (G ++ rest u top) = image (G ++ [(u, top)]).
Proof.
  intros HG Hu. unfold rest. destruct (Z.ltb_spec 1 u); [reflexivity|]. assert (u = 1) as -> by lia.
  rewrite app_nil_r, image_app by (assumption || (repeat constructor; cbn; lia)).
  rewrite image_one, range_1. cbn [map]. rewrite Z.mul_0_r, sums_0_r. reflexivity.
Qed.

Definition sizes_2 (A : modes) : Prop := Forall (fun m : mode => 2 <= fst m) A.

Lemma sizes_2_wf A : sizes_2 A -> wf A.
Proof. apply Forall_impl. intros; lia. Qed.

Lemma gaps_wf S : forall p G top, 1 <= p -> sizes_2 S -> gaps p S = Some (G, top) -> sizes_2 G /\ 1 <= top.
Proof.
  induction S as [|[s d] T IH]; intros p G top Hp HS; cbn [gaps].
  - intros [= <- <-]. split; [constructor|assumption].
  - inversion_clear HS as [|? ? Hs HT]. cbn in Hs. destruct (Z.leb_spec 1 d); [|discriminate].
    destruct (Z.eqb_spec (d mod p) 0) as [E|]; [|discriminate]. cbn [andb].
    destruct (gaps (s * d) T) as [[G' top']|] eqn:EG; [|discriminate]. intros [= <- <-].
    destruct (IH (s * d) G' top' ltac:(nia) HT EG) as [W Ht]. split; [|assumption].
    destruct (Z.ltb_spec p d); [|exact W]. cbn [app]. constructor; [|exact W]. cbn.
    pose proof (Z.div_mod d p ltac:(lia)). nia.
Qed.

Lemma gaps_fill S : forall p G top u, 1 <= p -> 1 <= u -> sizes_2 S -> gaps p S = Some (G, top) ->
  exists k, 1 <= k /\ top = p * k
  /\ Permutation (sums (image S) (image (G ++ [(u, top)]))) (map (Z.mul p) (range (k * u))).
Proof.
  induction S as [|[s d] T IH]; intros p G top u Hp Hu HS; cbn [gaps].
  - intros [= <- <-]. exists 1. split; [lia|]. split; [lia|]. rewrite image_nil, sums_0_l. cbn [app].
    rewrite image_one, Z.mul_1_l. reflexivity.
  - inversion_clear HS as [|? ? Hs HT]. cbn in Hs. destruct (Z.leb_spec 1 d); [|discriminate].
    destruct (Z.eqb_spec (d mod p) 0) as [E|]; [|discriminate]. cbn [andb].
    destruct (gaps (s * d) T) as [[G' top']|] eqn:EG; [|discriminate]. intros [= <- <-].
    destruct (gaps_wf T (s * d) G' top' ltac:(nia) HT EG) as [W Ht]. apply sizes_2_wf in W. pose proof (sizes_2_wf _ HT) as HTw.
    destruct (IH (s * d) G' top' u ltac:(nia) Hu HT EG) as (k & Hk & Ek & P).
    pose proof (Z.div_mod d p ltac:(lia)) as D. rewrite E, Z.add_0_r in D. set (g := d / p) in *.
    assert (Hg : 1 <= g) by nia. exists (g * (s * k)). split; [nia|]. split; [rewrite Ek, D; lia|].
    assert (W' : wf (G' ++ [(u, top')])) by (apply wf_app; split; [assumption|repeat constructor; cbn; lia]).
    assert (Q : Permutation (sums (image ((s, d) :: T)) (image (G' ++ [(u, top')]))) (map (Z.mul d) (range (s * (k * u))))).
    { rewrite image_cons by (lia || assumption). rewrite sums_assoc.
      rewrite (sums_perm_r _ _ _ P). rewrite steps_range by lia. reflexivity. }
    replace (g * (s * k) * u) with (g * (s * (k * u))) by lia.
    destruct (Z.ltb_spec p d).
    + cbn [app]. rewrite (image_cons g p) by assumption.
      rewrite <- sums_assoc. rewrite (sums_perm_l _ _ _ (sums_comm _ _)), sums_assoc.
      rewrite (sums_perm_r _ _ _ Q). rewrite D at 1. rewrite (Z.mul_comm p g). rewrite steps_range by nia. reflexivity.
    + cbn [app]. rewrite Q. assert (g = 1) as -> by nia. rewrite Z.mul_1_l. replace d with p by lia. reflexivity.
Qed.

(** Strides that rise by more than what the modes before reach. *)
Fixpoint rising (p : Z) (C : modes) : Prop :=
  match C with [] => True | (g, q) :: T => 2 <= g /\ p <= q /\ rising (g * q + 1) T end.

Lemma rising_canonical C : forall p, rising p C -> canonical C.
Proof.
  induction C as [|[g q] T IH]; intros p; [exact id|]. cbn [rising canonical]. intros (Hg & Hq & H).
  split; [assumption|]. split; [|eauto]. destruct T as [|[r k] T]; [exact I|]. cbn in H. lia.
Qed.

Lemma rising_weaken C p p' : p' <= p -> rising p C -> rising p' C.
Proof. destruct C as [|[g q] T]; [easy|]. cbn. intros; intuition lia. Qed.

Fixpoint up (p : Z) (C : modes) : Prop := match C with [] => True | (g, q) :: T => p <= q /\ up (g * q) T end.

Lemma up_weaken C p p' : p' <= p -> up p C -> up p' C.
Proof. destruct C as [|[g q] T]; [easy|]. cbn. intuition lia. Qed.

Lemma rising_up C : forall p, rising p C -> up p C.
Proof.
  induction C as [|[g q] T IH]; intros p; [easy|]. cbn [rising up]. intros (_ & Hq & H). split; [assumption|].
  apply IH in H. eapply up_weaken; [|eassumption]. lia.
Qed.

(** Where strides rise so, the layout does: at every integer. *)
Lemma up_increases C : forall p e, 1 <= p -> C <> [] -> wf C -> up p C -> value C e + p <= value C (e + 1).
Proof.
  induction C as [|[g q] T IH]; intros p e Hp HC HW H; [congruence|]. destruct H as [Hq H].
  apply wf_cons in HW as [Hg HW]. destruct T as [|m T]; [cbn; nia|].
  set (U := m :: T) in *. assert (HU : U <> []) by (subst U; congruence).
  destruct (div_mod_eq e g Hg) as [E Hm]. rewrite (value_step g q U e HU).
  destruct (Z.eq_dec (e mod g + 1) g) as [L|L].
  - replace (e + 1) with (0 + g * (e / g + 1)) by nia. rewrite value_digits_all by (lia || assumption).
    pose proof (IH (g * q) (e / g) ltac:(nia) HU HW H). nia.
  - replace (e + 1) with (e mod g + 1 + g * (e / g)) by lia.
    rewrite value_digits_all by (lia || assumption). lia.
Qed.

Lemma increases_ordered C : (forall e, value C e + 1 <= value C (e + 1)) -> forall i j, i < j -> value C i < value C j.
Proof.
  intros H i j Hij. assert (G : forall n, 0 <= n -> value C i < value C (i + n + 1)).
  { intros n Hn. pattern n. apply natlike_ind; [| |assumption].
    - specialize (H i). rewrite Z.add_0_r. lia.
    - intros m Hm IH. specialize (H (i + m + 1)). replace (i + Z.succ m + 1) with (i + m + 1 + 1) by lia. lia. }
  specialize (G (j - i - 1) ltac:(lia)). replace (i + (j - i - 1) + 1) with j in G by lia. exact G.
Qed.

Lemma up_ordered C : wf C -> up 1 C -> ordered C.
Proof.
  intros HW H. destruct C as [|m C]; [intros i j; cbn; lia|]. intros i j Hij _.
  apply increases_ordered; [|lia]. intros e. apply up_increases; (assumption || lia || congruence).
Qed.

Lemma gaps_rising S : forall p G top E, 1 <= p -> sizes_2 S -> gaps p S = Some (G, top) -> rising top E ->
  rising p (G ++ E) /\ p <= top.
Proof.
  induction S as [|[s d] T IH]; intros p G top E Hp HS; cbn [gaps].
  - intros [= <- <-] H. split; [exact H|lia].
  - inversion_clear HS as [|? ? Hs HT]. cbn in Hs. destruct (Z.leb_spec 1 d); [|discriminate].
    destruct (Z.eqb_spec (d mod p) 0) as [M|]; [|discriminate]. cbn [andb].
    destruct (gaps (s * d) T) as [[G' top']|] eqn:EG; [|discriminate]. intros [= <- <-] HE.
    destruct (IH (s * d) G' top' E ltac:(nia) HT EG HE) as [R L].
    pose proof (Z.div_mod d p ltac:(lia)) as D. rewrite M, Z.add_0_r in D.
    assert (1 <= d / p) by nia. assert (p <= d) by nia. split; [|nia]. destruct (Z.ltb_spec p d).
    + cbn [app rising]. split; [nia|]. split; [lia|]. eapply rising_weaken; [|exact R].
      rewrite (Z.mul_comm (d / p)), <- D. nia.
    + cbn [app]. eapply rising_weaken; [|exact R]. nia.
Qed.

Lemma sorted_sizes_2 A : sizes_2 (sorted_modes A).
Proof.
  eapply Permutation_Forall; [symmetry; apply sorted_perm|]. apply Forall_forall. intros m Hm.
  apply filter_In in Hm as [_ Hm]. apply Z.ltb_lt in Hm. lia.
Qed.

Lemma ceil_bounds N t : 1 <= N -> 1 <= t -> let u := (N + t - 1) / t in 1 <= u /\ N <= u * t < N + t.
Proof.
  intros HN Ht. cbn zeta. destruct (div_mod_eq (N + t - 1) t Ht) as [E M]. set (u := (N + t - 1) / t) in *.
  assert (1 <= u) by (subst u; apply Z.div_le_lower_bound; lia). lia.
Qed.

(** Where a complement is found: (A, C) is one-to-one onto 0 … M-1, C is ordered and canonical, and M is the least multiple
    of [top] that reaches N. *)
Theorem complement_sound A N C : wf A -> 1 <= N -> complement A N = Some C ->
  canonical C /\ ordered C /\ exists G top u, gaps 1 (sorted_modes A) = Some (G, top)
  /\ 1 <= top /\ 1 <= u /\ N <= u * top < N + top /\ size A * size C = u * top /\ tiles A C (u * top).
Proof.
  unfold complement. intros HA HN H. destruct (gaps 1 (sorted_modes A)) as [[G top]|] eqn:E; [|discriminate].
  injection H as <-. destruct (gaps_wf _ 1 _ _ ltac:(lia) (sorted_sizes_2 A) E) as [HG Ht].
  set (u := (N + top - 1) / top) in *. destruct (ceil_bounds N top HN Ht) as [Hu HM]. fold u in Hu, HM.
  assert (R : rising top (rest u top)).
  { unfold rest. destruct (Z.ltb_spec 1 u); [|exact I]. cbn. lia. }
  destruct (gaps_rising _ 1 _ _ _ ltac:(lia) (sorted_sizes_2 A) E R) as [HR _].
  pose proof (rising_canonical _ _ HR) as HC. pose proof (canonical_wf _ HC) as HW.
  split; [exact HC|]. split; [apply up_ordered; [assumption|]; eapply rising_up, HR|].
  exists G, top, u. split; [reflexivity|]. split; [assumption|]. split; [assumption|]. split; [assumption|].
  destruct (gaps_fill _ 1 _ _ u ltac:(lia) Hu (sorted_sizes_2 A) E) as (k & Hk & Ek & P).
  assert (T : tiles A (G ++ rest u top) (u * top)).
  { unfold tiles. rewrite image_app by assumption. rewrite image_rest by (assumption || now apply sizes_2_wf).
    rewrite <- (sums_perm_l _ _ _ (sorted_image A HA)). rewrite P. replace (k * u) with (u * top) by lia.
    rewrite <- (map_id (range (u * top))) at 2. erewrite map_ext; [reflexivity|]. intros; cbn beta; lia. }
  split; [|exact T]. apply Permutation_length in T. unfold image in T. rewrite map_length, !range_length, size_app in T.
  pose proof (size_pos A HA). pose proof (size_pos _ HW). nia.
Qed.

(** * Uniqueness *)

Section Tiling.
  Variables (X J : list Z) (N : Z).
  Hypothesis X0 : In 0 X.
  Hypothesis J0 : In 0 J.
  Hypothesis T : Permutation (sums X J) (range N).

  Lemma tiling_nodup : NoDup (sums X J).
  Proof. eapply Permutation_NoDup; [symmetry; exact T|apply range_nodup]. Qed.

  Lemma tiling_in x j : In x X -> In j J -> 0 <= x + j < N.
  Proof. intros Hx Hj. apply in_range. eapply Permutation_in; [exact T|]. apply in_sums. eauto. Qed.

  Lemma tiling_cover y : 0 <= y < N -> exists x j, In x X /\ In j J /\ y = x + j.
  Proof. intros H. apply in_sums. eapply Permutation_in; [symmetry; exact T|]. now apply in_range. Qed.

  Lemma tiling_x x : In x X -> 0 <= x < N.
  Proof. intros H. pose proof (tiling_in x 0 H J0). lia. Qed.

  Lemma tiling_j j : In j J -> 0 <= j < N.
  Proof. intros H. pose proof (tiling_in 0 j X0 H). lia. Qed.

  Lemma tiling_unique x j x' j' : In x X -> In j J -> In x' X -> In j' J -> x + j = x' + j' -> x = x' /\ j = j'.
  Proof. apply sums_unique, tiling_nodup. Qed.
End Tiling.

Lemma tiling_set X J K N : In 0 X -> In 0 J -> In 0 K ->
  Permutation (sums X J) (range N) -> Permutation (sums X K) (range N) -> forall x, In x J <-> In x K.
Proof.
  intros X0 J0 K0 TJ TK.
  assert (G : forall n, 0 <= n -> forall x, 0 <= x <= n -> In x J <-> In x K).
  { intros n Hn. pattern n. apply natlike_ind; [| |assumption].
    - intros x Hx. replace x with 0 by lia. tauto.
    - intros m Hm IH x Hx. split; intros H.
      + pose proof (tiling_j X J N X0 TJ x H) as B. destruct (tiling_cover X K N TK x B) as (a & k & Ha & Hk & E).
        pose proof (tiling_x X K N K0 TK a Ha). destruct (Z.eq_dec a 0) as [->|]; [now replace x with k by lia|].
        pose proof (tiling_j X K N X0 TK k Hk). assert (Hk' : In k J) by (apply IH; [lia|assumption]).
        destruct (tiling_unique X J N TJ a k 0 x Ha Hk' X0 H); lia.
      + pose proof (tiling_j X K N X0 TK x H) as B. destruct (tiling_cover X J N TJ x B) as (a & k & Ha & Hk & E).
        pose proof (tiling_x X J N J0 TJ a Ha). destruct (Z.eq_dec a 0) as [->|]; [now replace x with k by lia|].
        pose proof (tiling_j X J N X0 TJ k Hk). assert (Hk' : In k K) by (apply IH; [lia|assumption]).
        destruct (tiling_unique X K N TK a k 0 x Ha Hk' X0 H); lia. }
  intros x. destruct (Z_lt_le_dec x 0).
  - split; intros H; [pose proof (tiling_j X J N X0 TJ x H)|pose proof (tiling_j X K N X0 TK x H)]; lia.
  - apply (G x); lia.
Qed.

Lemma ordered_nodup C : ordered C -> NoDup (image C).
Proof.
  intros H. unfold image. generalize (range_nodup (size C)). intros HN.
  assert (HI : forall a b, In a (range (size C)) -> In b (range (size C)) -> value C a = value C b -> a = b).
  { intros a b Ha Hb E. apply in_range in Ha, Hb. destruct (Z.lt_trichotomy a b) as [L|[L|L]]; [|assumption|].
    - specialize (H a b ltac:(lia) ltac:(lia)). lia.
    - specialize (H b a ltac:(lia) ltac:(lia)). lia. }
  revert HN HI. generalize (range (size C)) as l. induction l as [|a l IH]; intros HN HI; [constructor|].
  inversion_clear HN as [|? ? Hn Hl]. cbn. constructor.
  - intros Hin. apply in_map_iff in Hin as (b & E & Hb). apply Hn. rewrite (HI a b); [assumption|now left|now right|now symmetry].
  - apply IH; [assumption|]. intros x y Hx Hy. apply HI; now right.
Qed.

Lemma ordered_same C C' : wf C -> wf C' -> ordered C -> ordered C' -> (forall x, In x (image C) <-> In x (image C')) -> same C C'.
Proof.
  intros HW HW' H H' HI. assert (E : size C = size C').
  { pose proof (NoDup_Permutation (ordered_nodup C H) (ordered_nodup C' H') HI) as P. apply Permutation_length in P.
    unfold image in P. rewrite !map_length, !range_length in P. pose proof (size_pos C HW). pose proof (size_pos C' HW'). lia. }
  split; [assumption|].
  assert (G : forall n, 0 <= n -> forall x, 0 <= x <= n -> x < size C -> value C x = value C' x).
  { intros n Hn. pattern n. apply natlike_ind; [| |assumption].
    - intros x Hx _. replace x with 0 by lia. now rewrite !value_0.
    - intros m Hm IH x Hx Hs.
      assert (L1 : value C' x <= value C x).
      { assert (Hin : In (value C x) (image C')) by (apply HI, in_image; exists x; split; [lia|reflexivity]).
        apply in_image in Hin as (y & Hy & Ey). destruct (Z.lt_trichotomy y x) as [L|[->|L]]; [|lia|].
        - exfalso. rewrite <- (IH y) in Ey by lia. specialize (H y x ltac:(lia) ltac:(lia)). lia.
        - specialize (H' x y ltac:(lia) ltac:(lia)). lia. }
      assert (L2 : value C x <= value C' x).
      { assert (Hin : In (value C' x) (image C)) by (apply HI, in_image; exists x; split; [lia|reflexivity]).
        apply in_image in Hin as (y & Hy & Ey). destruct (Z.lt_trichotomy y x) as [L|[->|L]]; [|lia|].
        - exfalso. rewrite (IH y) in Ey by lia. specialize (H' y x ltac:(lia) ltac:(lia)). lia.
        - specialize (H x y ltac:(lia) ltac:(lia)). lia. }
      lia. }
  intros x Hx. apply (G x); lia.
Qed.

(** The complement is unique: any ordered layout that tiles the same 0 … M-1 with A coalesces to it. *)
Theorem complement_unique A C C' M : wf A -> wf C -> wf C' -> tiles A C M -> tiles A C' M -> ordered C -> ordered C' ->
  coalesce C = coalesce C'.
Proof.
  unfold tiles. intros HA HC HC' T T' O O'. rewrite image_app in T, T' by assumption. apply coalesce_complete; [assumption..|].
  apply ordered_same; [assumption..|]. apply (tiling_set (image A) _ _ M); auto using image_0.
Qed.

(** * Necessity of the divisor chain, after de Bruijn *)

Section Blocks.
  Variables (X J : list Z) (N g : Z).
  Hypothesis X0 : In 0 X.
  Hypothesis J0 : In 0 J.
  Hypothesis T : Permutation (sums X J) (range N).
  Hypothesis Xg : In g X.
  Hypothesis g1 : 1 <= g.
  Hypothesis least : forall x, In x X -> x = 0 \/ g <= x.

  Let uniq := tiling_unique X J N T.
  Let posx := tiling_x X J N J0 T.
  Let posj := tiling_j X J N X0 T.

  Lemma first_block i : 0 <= i < g -> In i J.
  Proof.
    intros Hi. pose proof (posx g Xg). destruct (tiling_cover X J N T i ltac:(lia)) as (x & j & Hx & Hj & E).
    pose proof (posj j Hj). destruct (least x Hx) as [->|]; [now replace i with j by lia|lia].
  Qed.

  (** In each block of g numbers X has nothing but its start, and J all or nothing. *)
  Lemma blocks_upto n : 0 <= n -> forall q, 0 <= q <= n ->
    (forall i, 0 < i < g -> ~ In (g * q + i) X)
    /\ (forall i, 0 <= i < g -> In (g * q + i) J -> forall k, 0 <= k < g -> In (g * q + k) J).
  Proof.
    intros Hn. pattern n. apply natlike_ind; [| |assumption].
    - intros q Hq. assert (q = 0) as -> by lia. rewrite Z.mul_0_r. split.
      + intros i Hi H. rewrite Z.add_0_l in H. destruct (least i H); lia.
      + intros i Hi _ k Hk. rewrite Z.add_0_l. now apply first_block.
    - intros m Hm IH q Hq. destruct (Z.eq_dec q (m + 1)) as [Eq|]; [|apply IH; lia]. clear Hq. set (b := g * q).
      assert (Hb : g <= b) by (subst b; nia).
      (* what is known of smaller numbers *)
      assert (KX : forall x, In x X -> x < b -> exists k, 0 <= k < q /\ x = g * k).
      { intros x Hx L. pose proof (posx x Hx). destruct (div_mod_eq x g g1) as [E M].
        pose proof (div_in_bounds x g q g1 ltac:(subst b; lia)) as D. exists (x / g). split; [lia|].
        destruct (Z.eq_dec (x mod g) 0) as [Z0|Z0]; [lia|]. exfalso.
        destruct (IH (x / g) ltac:(lia)) as [I1 _]. apply (I1 (x mod g)); [lia|]. now replace (g * (x / g) + x mod g) with x by lia. }
      assert (KJ : forall k i e, 0 <= k < q -> 0 <= i < g -> 0 <= e < g -> In (g * k + i) J -> In (g * k + e) J).
      { intros k i e Hk Hi He H. destruct (IH k ltac:(lia)) as [_ I2]. exact (I2 i Hi H e He). }
      destruct (Z_lt_le_dec b N) as [L|L].
      2: { split; intros i Hi H; [pose proof (posx _ H)|pose proof (posj _ H)]; subst b; lia. }
      destruct (tiling_cover X J N T b ltac:(lia)) as (x & j & Hx & Hj & E).
      pose proof (posx x Hx). pose proof (posj j Hj).
      destruct (Z.eq_dec j 0) as [->|Nj].
      + (* b in X *) assert (x = b) by lia. subst x. split.
        * intros i Hi H1. destruct (uniq b i (b + i) 0 Hx (first_block i ltac:(lia)) H1 J0); lia.
        * intros i Hi H1. destruct (uniq 0 (b + i) b i X0 H1 Hx (first_block i Hi)); lia.
      + destruct (Z.eq_dec x 0) as [->|Nx].
        * (* b in J *) assert (j = b) by lia. subst j. pose proof (tiling_in X J N T g b Xg Hj) as Hgb.
          assert (A1 : forall i, 0 < i < g -> ~ In (b + i) X).
          { intros i Hi H1. destruct (uniq (b + i) (g - i) g b H1 (first_block (g - i) ltac:(lia)) Xg Hj); lia. }
          split; [exact A1|]. intros _ _ _ k Hk.
          destruct (tiling_cover X J N T (b + k) ltac:(lia)) as (x & j & Hx' & Hj' & E').
          pose proof (posx x Hx'). pose proof (posj j Hj').
          destruct (least x Hx') as [->|Hg]; [now replace (b + k) with j by lia|].
          destruct (Z_lt_le_dec x b) as [Lx|Lx].
          -- exfalso. destruct (KX x Hx' Lx) as (e & He & Ee).
             assert (Hs : In (g * (q - e) + 0) J).
             { apply (KJ (q - e) k 0); [nia|lia|lia|]. replace (g * (q - e) + k) with j by (subst b; nia). exact Hj'. }
             rewrite Z.add_0_r in Hs. destruct (uniq x (g * (q - e)) 0 b Hx' Hs X0 Hj); subst b; nia.
          -- exfalso. destruct (Z.eq_dec x b) as [->|]; [destruct (uniq b 0 0 b Hx' J0 X0 Hj); lia|].
             apply (A1 (x - b)); [lia|]. now replace (b + (x - b)) with x by lia.
        * destruct (KX x Hx ltac:(lia)) as (e & He & Ee).
          assert (Ej : j = g * (q - e) + 0) by (subst b; nia).
          assert (Hq : 0 <= q - e < q) by nia.
          assert (Hall : forall i, 0 <= i < g -> In (j + i) J).
          { intros i Hi. rewrite Ej. replace (g * (q - e) + 0 + i) with (g * (q - e) + i) by lia.
            apply (KJ (q - e) 0 i); [assumption|lia|assumption|]. now rewrite <- Ej. }
          split.
          -- intros i Hi H1. destruct (uniq x (j + i) (b + i) 0 Hx (Hall i ltac:(lia)) H1 J0); lia.
          -- intros i Hi H1. destruct (uniq x (j + i) 0 (b + i) Hx (Hall i Hi) X0 H1); lia.
  Qed.

  (** The least positive element of X divides all of them. *)
  Lemma multiples x : In x X -> x mod g = 0.
  Proof.
    intros H. pose proof (posx x H). destruct (div_mod_eq x g g1) as [E M].
    assert (Hq : 0 <= x / g) by (apply Z.div_pos; lia).
    destruct (blocks_upto (x / g) Hq (x / g) ltac:(lia)) as [B _].
    destruct (Z.eq_dec (x mod g) 0); [assumption|]. exfalso. apply (B (x mod g)); [lia|].
    now replace (g * (x / g) + x mod g) with x by lia.
  Qed.
End Blocks.

(** The next stride is a multiple of what the mode before it reaches. *)
Lemma chain_step s d U J N e : 2 <= s -> 1 <= d -> In 0 U -> In 0 J ->
  Permutation (sums (sums (steps (s, d)) U) J) (range N) -> In e U -> d <= e -> (forall u, In u U -> u = 0 \/ e <= u) ->
  e mod (s * d) = 0.
Proof.
  intros Hs Hd U0 J0 T He Hde least. set (X := sums (steps (s, d)) U) in *.
  assert (St : forall i, 0 <= i < s -> In (d * i) (steps (s, d))).
  { intros i Hi. unfold steps. apply in_map_iff. exists i. split; [reflexivity|]. now apply in_range. }
  assert (XS : forall i, 0 <= i < s -> In (d * i) X).
  { intros i Hi. apply in_sums. exists (d * i), 0. repeat split; auto; lia. }
  assert (X0 : In 0 X) by (replace 0 with (d * 0) by lia; apply XS; lia).
  assert (Xd : In d X) by (replace d with (d * 1) by lia; apply XS; lia).
  assert (Xe : In e X).
  { apply in_sums. exists (d * 0), e. repeat split; [apply St; lia|assumption|lia]. }
  assert (low : forall x, In x X -> x < e -> exists i, 0 <= i < s /\ x = d * i).
  { intros x Hx L. apply in_sums in Hx as (a & u & Ha & Hu & ->). unfold steps in Ha.
    apply in_map_iff in Ha as (i & <- & Hi). apply in_range in Hi. cbn [fst snd] in *. exists i. split; [assumption|].
    destruct (least u Hu); [lia|nia]. }
  assert (small : forall x, In x X -> x = 0 \/ d <= x).
  { intros x Hx. destruct (Z_lt_le_dec x e) as [L|]; [|right; lia]. destruct (low x Hx L) as (i & Hi & ->).
    destruct (Z.eq_dec i 0) as [->|]; [left; lia|right; nia]. }
  pose proof (multiples X J N d X0 J0 T Xd Hd small e Xe) as Me.
  assert (blocks : forall k, 0 <= k -> k * (s * d) < e -> In (k * (s * d)) J).
  { intros k Hk. pattern k. apply natlike_ind; [intros; assumption| |assumption].
    intros m Hm IH L. unfold Z.succ in *. assert (Lm : m * (s * d) < e) by nia. specialize (IH Lm).
    pose proof (tiling_x X J N J0 T e Xe).
    destruct (tiling_cover X J N T ((m + 1) * (s * d)) ltac:(nia)) as (x & j & Hx & Hj & E).
    pose proof (tiling_j X J N X0 T j Hj). destruct (low x Hx ltac:(lia)) as (i & Hi & Ei).
    destruct (Z.eq_dec i 0) as [->|Ni]; [replace ((m + 1) * (s * d)) with j by lia; assumption|]. exfalso.
    destruct (tiling_unique X J N T (d * (s - i)) (m * (s * d)) 0 j (XS (s - i) ltac:(lia)) IH X0 Hj); nia. }
  destruct (div_mod_eq e (s * d) ltac:(nia)) as [E M]. destruct (Z.eq_dec (e mod (s * d)) 0) as [|N0]; [assumption|].
  exfalso. assert (Hq : 0 <= e / (s * d)) by (apply Z.div_pos; nia).
  assert (Hj : In (e / (s * d) * (s * d)) J) by (apply blocks; lia).
  pose proof (Z.div_mod e d ltac:(lia)) as Ed. rewrite Me, Z.add_0_r in Ed.
  set (r := e / d - s * (e / (s * d))). assert (Er : e mod (s * d) = d * r) by (subst r; nia).
  assert (Hr : 0 <= r < s) by nia.
  destruct (tiling_unique X J N T (d * r) (e / (s * d) * (s * d)) e 0 (XS r Hr) Hj Xe J0) as [E1 _]; [rewrite <- Er; lia|].
  assert (ND : NoDup X).
  { apply (nodup_sums_l X J); [now apply (tiling_nodup X J N)|]. intros ->. contradiction. }
  destruct (sums_unique _ _ ND (d * r) 0 (d * 0) e (St r Hr) U0 (St 0 ltac:(lia)) He); lia.
Qed.

Fixpoint ascending (lo : Z) (R : modes) : Prop :=
  match R with [] => True | (s, d) :: T => 2 <= s /\ lo <= d /\ ascending d T end.

Lemma ascending_image R : forall lo, 1 <= lo -> ascending lo R -> wf R /\
  forall u, In u (image R) -> u = 0 \/ match R with [] => True | (_, d) :: _ => d <= u end.
Proof.
  induction R as [|[s d] T IH]; intros lo Hlo H.
  - split; [constructor|]. intros u [<-|[]]. now left.
  - destruct H as (Hs & Hd & H). destruct (IH d ltac:(lia) H) as [W I].
    split; [apply wf_cons; split; [lia|assumption]|]. intros u Hu. rewrite image_cons in Hu by (lia || assumption).
    apply in_sums in Hu as (a & v & Ha & Hv & ->). unfold steps in Ha. apply in_map_iff in Ha as (i & <- & Hi).
    apply in_range in Hi. cbn [fst snd] in *. destruct (I v Hv) as [->|Hv'].
    + destruct (Z.eq_dec i 0) as [->|]; [left; lia|right; nia].
    + destruct T as [|[r k] T].
      * rewrite image_nil in Hv. destruct Hv as [<-|[]]. destruct (Z.eq_dec i 0) as [->|]; [left; lia|right; nia].
      * cbn in H. right. nia.
Qed.

Lemma necessity R : forall lo p J N, 1 <= lo -> 1 <= p -> ascending lo R -> In 0 J ->
  Permutation (sums (image R) J) (range N) ->
  match R with [] => True | (_, d) :: _ => d mod p = 0 end -> gaps p R <> None.
Proof.
  induction R as [|[s d] T IH]; intros lo p J N Hlo Hp HR J0 P HM; [discriminate|].
  cbn [gaps]. destruct HR as (Hs & Hd & HR). destruct (Z.leb_spec 1 d); [|lia]. rewrite HM. cbn [Z.eqb andb].
  destruct (ascending_image T d ltac:(lia) HR) as [W least]. rewrite image_cons in P by (lia || assumption).
  assert (NN : gaps (s * d) T <> None).
  { apply (IH d (s * d) (sums (steps (s, d)) J) N); [lia|nia|assumption| | |].
    - apply in_sums. exists 0, 0. repeat split; [|assumption]. unfold steps. apply in_map_iff. exists 0.
      split; [lia|]. apply in_range. cbn. lia.
    - rewrite <- P. rewrite (sums_perm_l _ _ _ (sums_comm (steps (s, d)) (image T))). rewrite sums_assoc. reflexivity.
    - destruct T as [|[r k] T]; [exact I|]. destruct HR as (Hr & Hk & HR).
      apply (chain_step s d (image ((r, k) :: T)) J N); try assumption; try lia.
      + now apply image_0.
      + apply in_image. exists 1. apply wf_cons in W as [W1 W2]. pose proof (size_pos _ W2). split; [cbn [size]; nia|].
        replace 1 with (1 + r * 0) by lia. rewrite value_digits by (assumption || lia). rewrite value_0. lia. }
  destruct (gaps (s * d) T) as [[G top]|]; [discriminate|congruence].
Qed.

(** * The decision *)

Fixpoint sorted (A : modes) : Prop :=
  match A with [] => True | (_, d) :: T => match T with [] => True | (_, e) :: _ => d <= e end /\ sorted T end.

Lemma insert_sorted m l : sorted l -> sorted (insert m l).
Proof.
  destruct m as [s d]. induction l as [|[r k] l IH]; [cbn; auto|]. intros [H1 H2]. cbn [insert snd].
  destruct (Z.leb_spec d k); [cbn [sorted]; auto|]. specialize (IH H2). cbn [sorted]. split; [|exact IH].
  destruct l as [|[q e] l]; cbn [insert snd]; [lia|]. destruct (d <=? e); lia.
Qed.

Lemma sorted_sorted A : sorted (sorted_modes A).
Proof. unfold sorted_modes. induction (filter _ A) as [|m l IH]; [exact I|]. cbn. now apply insert_sorted. Qed.

Lemma sorted_ascending R : sizes_2 R -> sorted R -> forall lo, match R with [] => True | (_, d) :: _ => lo <= d end -> ascending lo R.
Proof.
  induction R as [|[s d] T IH]; intros H2 HS lo Hlo; [exact I|]. inversion_clear H2 as [|? ? Hs HT]. cbn in Hs.
  destruct HS as [H HS]. split; [assumption|]. split; [assumption|]. apply IH; [assumption..|].
  destruct T as [|[r k] T]; [exact I|exact H].
Qed.

(** A complement is found exactly where some set of offsets with 0 tiles some 0 … M-1 with A: so the divisor chain of the
    sorted modes is necessary, and which bound is asked for does not matter. *)
Theorem complement_iff A N : wf A -> 1 <= N ->
  ((exists J M, In 0 J /\ Permutation (sums (image A) J) (range M)) <-> complement A N <> None).
Proof.
  intros HA HN. split.
  - intros (J & M & J0 & P). unfold complement. rewrite <- (sums_perm_l _ _ _ (sorted_image A HA)) in P.
    pose proof (sorted_sizes_2 A) as H2. pose proof (sorted_sorted A) as HS. pose proof (sorted_wf A HA) as HW.
    assert (NN : gaps 1 (sorted_modes A) <> None); [|destruct (gaps 1 (sorted_modes A)) as [[G top]|]; congruence].
    revert P H2 HS HW. generalize (sorted_modes A) as R. intros R P H2 HS HW.
    assert (Hd : match R with [] => True | (_, d) :: _ => 1 <= d end).
    { destruct R as [|[s d] T]; [exact I|]. inversion_clear H2 as [|? ? Hs HT]. cbn in Hs.
      apply wf_cons in HW as [_ HW]. assert (ND : NoDup (image ((s, d) :: T))).
      { apply (nodup_sums_l _ J); [now apply (tiling_nodup _ J M)|]. intros ->. contradiction. }
      assert (Hin : In d (image ((s, d) :: T))).
      { rewrite image_cons by (lia || assumption). apply in_sums. exists d, 0. split; [|split; [now apply image_0|lia]].
        unfold steps. apply in_map_iff. exists 1. split; [cbn; lia|]. apply in_range. cbn. lia. }
      pose proof (tiling_x _ J M J0 P d Hin). destruct (Z.eq_dec d 0) as [->|]; [|lia]. exfalso.
      rewrite image_cons in ND by (lia || assumption). apply nodup_sums_l in ND.
      - unfold steps in ND. cbn [fst snd] in ND.
        assert (0 = 1); [|lia]. apply (nodup_map_inj (Z.mul 0) (range s) ND); [apply in_range; lia..|reflexivity].
      - intros E. pose proof (image_0 T HW) as H0. rewrite E in H0. contradiction. }
    apply (necessity R 1 1 J M); try assumption; try lia.
    + apply sorted_ascending; assumption.
    + destruct R as [|[s d] T]; [exact I|]. apply Z.mod_1_r.
  - destruct (complement A N) as [C|] eqn:E; [|congruence]. intros _.
    destruct (complement_sound A N C HA HN E) as (HC & _ & G & top & u & _ & _ & _ & _ & _ & T).
    pose proof (canonical_wf C HC) as HW. unfold tiles in T. rewrite image_app in T by assumption.
    exists (image C), (u * top). split; [now apply image_0|exact T].
Qed.

(** * M is the least *)

Lemma mod_is x m q r : 0 <= r < m -> x = m * q + r -> x mod m = r.
Proof. intros H ->. rewrite Z.add_comm. apply digits_unique. assumption. Qed.

(** What tiles with one mode is whole blocks, and so is 0 … N-1. *)
Lemma one_mode_size s d J N : 2 <= s -> 1 <= d -> In 0 J -> Permutation (sums (steps (s, d)) J) (range N) -> N mod (s * d) = 0.
Proof.
  intros Hs Hd J0 T. set (X := steps (s, d)) in *. set (m := s * d). assert (Hm : d < m) by (subst m; nia).
  assert (XS : forall i, 0 <= i < s -> In (d * i) X).
  { intros i Hi. subst X. unfold steps. apply in_map_iff. exists i. split; [reflexivity|]. now apply in_range. }
  assert (SX : forall x, In x X -> exists i, 0 <= i < s /\ x = d * i).
  { intros x Hx. subst X. unfold steps in Hx. apply in_map_iff in Hx as (i & <- & Hi). apply in_range in Hi. exists i. auto. }
  assert (X0 : In 0 X) by (replace 0 with (d * 0) by lia; apply XS; lia).
  assert (G : forall n, 0 <= n -> forall y, 0 <= y <= n -> y < N -> (In y J <-> y mod m < d)).
  { intros n Hn. pattern n. apply natlike_ind; [| |assumption].
    - intros y Hy _. replace y with 0 by lia. rewrite Zmod_0_l. split; [lia|auto].
    - intros k Hk IH y Hy HN. destruct (div_mod_eq y m ltac:(lia)) as [E Em]. set (q := y / m) in *. set (r := y mod m) in *.
      assert (Hq : 0 <= q) by (apply Z.div_pos; lia). split; intros H.
      + destruct (Z_lt_le_dec r d) as [|L]; [assumption|]. exfalso.
        destruct (div_mod_eq r d Hd) as [Er Ea]. set (i := r / d) in *.
        assert (Hi : 1 <= i < s) by (subst m; nia).
        assert (HJ : In (m * q + r mod d) J).
        { apply IH; [subst m; nia|nia|]. rewrite (mod_is _ m q (r mod d)); lia. }
        destruct (tiling_unique X J N T (d * i) (m * q + r mod d) 0 y (XS i ltac:(lia)) HJ X0 H); nia.
      + destruct (tiling_cover X J N T y ltac:(lia)) as (x & j & Hx & Hj & Exj). destruct (SX x Hx) as (i & Hi & Ei).
        destruct (Z.eq_dec i 0) as [->|Ni]; [now replace y with j by lia|]. exfalso.
        pose proof (tiling_j X J N X0 T j Hj). apply IH in Hj; [|nia|nia].
        rewrite (mod_is j m (q - 1) (r + d * (s - i))) in Hj; subst m; nia. }
  destruct (Z_lt_le_dec N 1) as [L|L].
  { pose proof (tiling_in X J N T 0 0 X0 J0). lia. }
  destruct (div_mod_eq N m ltac:(lia)) as [E Em]. destruct (Z.eq_dec (N mod m) 0) as [|Nr]; [assumption|]. exfalso.
  set (q := N / m) in *. set (r := N mod m) in *. assert (Hq : 0 <= q) by (apply Z.div_pos; lia).
  assert (B : forall a, 0 <= a < d -> a < r -> d * (s - 1) + a < r).
  { intros a Ha Hr. assert (HJ : In (m * q + a) J).
    { apply (G (m * q + a)); [nia|nia|lia|]. rewrite (mod_is _ m q a); lia. }
    pose proof (tiling_in X J N T (d * (s - 1)) (m * q + a) (XS (s - 1) ltac:(lia)) HJ). lia. }
  pose proof (B 0 ltac:(lia) ltac:(lia)). pose proof (B (r - d * (s - 1)) ltac:(subst m; nia) ltac:(nia)). lia.
Qed.

Lemma tiling_top R : forall p G top J N, gaps p R = Some (G, top) -> sizes_2 R -> In 0 J ->
  Permutation (sums (image R) J) (range N) -> N mod top = 0 \/ R = [].
Proof.
  induction R as [|[s d] T IH]; intros p G top J N H H2 J0 P; [now right|]. left. cbn [gaps] in H.
  destruct (Z.leb_spec 1 d) as [Hd|]; [|discriminate]. destruct (d mod p =? 0); [|discriminate]. cbn [andb] in H.
  destruct (gaps (s * d) T) as [[G' top']|] eqn:EG; [|discriminate]. injection H as _ <-.
  inversion_clear H2 as [|? ? Hs HT]. cbn in Hs. pose proof (sizes_2_wf T HT) as HW.
  rewrite image_cons in P by (lia || assumption). destruct T as [|n T].
  - cbn [gaps] in EG. injection EG as _ <-. rewrite image_nil, sums_0_r in P. now apply (one_mode_size s d J N).
  - destruct (IH (s * d) G' top' (sums (steps (s, d)) J) N EG HT) as [|]; [| |assumption|discriminate].
    + apply in_sums. exists 0, 0. repeat split; [|assumption]. unfold steps. apply in_map_iff. exists 0.
      split; [lia|]. apply in_range. cbn. lia.
    + rewrite <- P. rewrite (sums_perm_l _ _ _ (sums_comm (steps (s, d)) (image (n :: T)))). now rewrite sums_assoc.
Qed.

(** No set of offsets with 0 tiles a smaller 0 … M-1 that reaches N. *)
Theorem complement_least A N C : wf A -> 1 <= N -> complement A N = Some C ->
  forall J M, In 0 J -> Permutation (sums (image A) J) (range M) -> N <= M -> size A * size C <= M.
Proof.
  intros HA HN H J M J0 P HM.
  destruct (complement_sound A N C HA HN H) as (_ & _ & G & top & u & EG & Ht & Hu & HB & ES & _).
  rewrite <- (sums_perm_l _ _ _ (sorted_image A HA)) in P. rewrite ES.
  assert (E : M mod top = 0).
  { destruct (tiling_top _ _ _ _ J M EG (sorted_sizes_2 A) J0 P) as [|E]; [assumption|].
    rewrite E in EG. injection EG as _ <-. apply Z.mod_1_r. }
  destruct (div_mod_eq M top Ht) as [D _]. rewrite E in D. assert (u - 1 < M / top) by nia. nia.
Qed.

(** * The extended complement: its last mode 1:top goes on, evaluated past its end *)

Definition extended_complement (A : modes) : option modes :=
  match gaps 1 (sorted_modes A) with Some (G, top) => Some (G ++ [(1, top)]) | None => None end.

(** [29] at every integer, [28] at every integral coordinate: no offset of A in bounds is met but 0. *)
Theorem extended_complement_sound A E : wf A -> extended_complement A = Some E ->
  (forall e, value E e < value E (e + 1))
  /\ forall c e, 0 <= c < size A -> value A c = value E e -> c = 0 /\ e = 0.
Proof.
  unfold extended_complement. intros HA H. destruct (gaps 1 (sorted_modes A)) as [[G top]|] eqn:EG; [|discriminate].
  injection H as <-. destruct (gaps_wf _ 1 _ _ ltac:(lia) (sorted_sizes_2 A) EG) as [HG Ht].
  destruct (gaps_rising _ 1 _ _ [] ltac:(lia) (sorted_sizes_2 A) EG I) as [HR _]. rewrite app_nil_r in HR.
  assert (L : forall u e, value (G ++ [(u, top)]) e = value (G ++ [(1, top)]) e).
  { intros u. clear. induction G as [|[g q] G IH]; intros e; [reflexivity|]. cbn [app].
    rewrite !value_step by (destruct G; cbn; congruence). now rewrite IH. }
  assert (U : forall u, 2 <= u -> wf (G ++ [(u, top)]) /\ up 1 (G ++ [(u, top)])).
  { intros u Hu. split; [apply wf_app; split; [now apply sizes_2_wf|repeat constructor; cbn; lia]|].
    apply rising_up. apply (gaps_rising _ 1 _ _ _ ltac:(lia) (sorted_sizes_2 A) EG). cbn. lia. }
  assert (S1 : forall e, value (G ++ [(1, top)]) e + 1 <= value (G ++ [(1, top)]) (e + 1)).
  { intros e. rewrite <- !(L 2). destruct (U 2 ltac:(lia)) as [W R]. apply up_increases; try assumption; [lia|].
    destruct G; cbn; congruence. }
  split; [intros e; specialize (S1 e); lia|]. intros c e Hc Hv.
  assert (Z0 : value (G ++ [(1, top)]) 0 = 0) by apply value_0.
  set (u := Z.max 2 (e + 1)). destruct (U u ltac:(lia)) as [W R].
  destruct (gaps_fill _ 1 _ _ u ltac:(lia) ltac:(lia) (sorted_sizes_2 A) EG) as (k & Hk & _ & P).
  rewrite (sums_perm_l _ _ _ (sorted_image A HA)) in P.
  assert (P' : Permutation (sums (image A) (image (G ++ [(u, top)]))) (range (k * u))).
  { rewrite P. rewrite <- (map_id (range (k * u))) at 2. erewrite map_ext; [reflexivity|]. intros; cbn beta; lia. }
  assert (Hin : In (value A c) (image A)) by (apply in_image; eauto).
  assert (E0 : value A c = 0 -> c = 0).
  { intros Hc0. assert (ND : NoDup (image A)).
    { apply (nodup_sums_l _ (image (G ++ [(u, top)]))); [eapply tiling_nodup, P'|]. intros E.
      pose proof (image_0 _ W) as H0. rewrite E in H0. contradiction. }
    apply (nodup_map_inj (value A) (range (size A)) ND); [now apply in_range|apply in_range; lia|].
    now rewrite value_0. }
  destruct (Z_lt_le_dec e 0) as [N0|N0].
  - pose proof (increases_ordered _ S1 e 0 N0). pose proof (tiling_x _ _ _ (image_0 _ W) P' _ Hin). lia.
  - assert (Hs : e < size (G ++ [(u, top)])).
    { rewrite size_app. cbn [size]. pose proof (size_pos G (sizes_2_wf _ HG)). nia. }
    assert (He : In (value (G ++ [(1, top)]) e) (image (G ++ [(u, top)]))).
    { apply in_image. exists e. split; [lia|apply L]. }
    destruct (tiling_unique _ _ _ P' (value A c) 0 0 _ Hin (image_0 _ W) (image_0 _ HA) He) as [E1 E2]; [lia|].
    split; [auto|]. destruct (Z.eq_dec e 0); [assumption|]. pose proof (increases_ordered _ S1 0 e ltac:(lia)). lia.
Qed.
